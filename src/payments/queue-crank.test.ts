import { beforeEach, describe, expect, it } from 'vitest';
import { Holder, HOLDER, OTHER_VALIDATOR, VALIDATOR } from '../../test/ports/holder.ts';
import { MapRollup } from '../../test/ports/map-chain.ts';
import { transferQueueData } from '../../test/ports/queue-data.ts';
import { faultyFields, refusalOf, runOperation } from '../../test/run-operation.ts';
import { describeInstruction } from '../../test/vectors/instruction-text.ts';
import type { Rollup } from '../chain/chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { deriveTransferQueue } from '../programs/ephemeral-token/pdas.ts';
import type { Address } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import { createEnsureTransferQueueCrank, planQueueCrank } from './transfer-queue.ts';

const QUEUE = deriveTransferQueue(USDC_MINT, VALIDATOR).address;

let holder: Holder;
let sent: { rollup: Rollup; instructions: Instruction[] }[];

beforeEach(() => {
  holder = new Holder('b');
  holder.chain.rollup = new MapRollup();
  sent = [];
  putQueue(DELEGATION_PROGRAM);
});

function putQueue(owner: Address): void {
  holder.chain.put(QUEUE, { owner, data: transferQueueData(USDC_MINT, VALIDATOR) });
}

const operation = () =>
  createEnsureTransferQueueCrank({
    clusters: new Clusters([holder.chain]),
    sendFromThrowaway: (rollup, plan) => {
      sent.push({ rollup, instructions: plan(HOLDER) });
      return Promise.resolve('the-signature');
    },
  });

const ensure = (args: object = {}) => runOperation(operation(), { mint: USDC_MINT, ...args });

describe('ensureTransferQueueCrank', () => {
  it('sends the crank to the rollup from a throwaway key', async () => {
    const { output, sentences } = await ensure();
    expect(output).toEqual({
      mint: USDC_MINT,
      validator: VALIDATOR,
      transferQueue: QUEUE,
      crankSignature: 'the-signature',
    });
    expect(sentences[1]).toContain('the-signature');
    expect(sent.map(({ rollup }) => rollup)).toEqual([holder.chain.rollup]);
    expect(sent[0]?.instructions.map(describeInstruction)).toEqual(
      planQueueCrank(USDC_MINT, VALIDATOR, HOLDER).map(describeInstruction),
    );
  });

  it.each([
    ['an absent queue', { validator: OTHER_VALIDATOR }, () => {}],
    ['a queue that is not delegated', {}, () => putQueue(EPHEMERAL_TOKEN_PROGRAM)],
  ])('sends nothing to %s', async (_, args, arrange) => {
    arrange();
    const refused = await refusalOf(ensure(args));
    expect(refused.code).toBe('TRANSFER_QUEUE_NOT_INITIALIZED');
    expect(refused.message).toMatch(/^Transfer queue is not initialized and delegated/);
    expect(sent).toEqual([]);
  });

  it('is rejected without a rollup, and on layout A', async () => {
    holder.chain.rollup = null;
    expect((await refusalOf(ensure())).code).toBe('UNSUPPORTED_ON_CLUSTER');
    holder = new Holder('a');
    expect((await refusalOf(ensure())).code).toBe('UNSUPPORTED_ON_CLUSTER');
  });

  it.each([
    ['mint', { mint: undefined }],
    ['mint', { mint: 'x' }],
    ['validator', { validator: {} }],
    ['cluster', { cluster: 0 }],
    ['payer', { payer: HOLDER }],
  ])('rejects an invalid %s before any read: %j', (field, args) => {
    expect(faultyFields(operation(), { mint: USDC_MINT, ...args })).toEqual([field]);
  });
});
