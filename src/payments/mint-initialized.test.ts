import { describe, expect, it } from 'vitest';
import { Holder, OTHER_VALIDATOR, VALIDATOR } from '../../test/ports/holder.ts';
import { MapChain, MapRollup } from '../../test/ports/map-chain.ts';
import { transferQueueData } from '../../test/ports/queue-data.ts';
import { faultyFields, refusalOf, runOperation } from '../../test/run-operation.ts';
import { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { deriveTransferQueue } from '../programs/ephemeral-token/pdas.ts';
import type { Address } from '../solana/address.ts';
import { createIsMintInitialized } from './transfer-queue.ts';

const operationOn = (chain: MapChain) => createIsMintInitialized({ clusters: new Clusters([chain]) });
const ask = (chain: MapChain, args: object = {}) =>
  runOperation(operationOn(chain), { mint: USDC_MINT, ...args });

const QUEUE = deriveTransferQueue(USDC_MINT, VALIDATOR).address;

/** A chain with a queue of that program and mint at the queue's address. */
function withQueue(owner: Address, mint = USDC_MINT): MapChain {
  const { chain } = new Holder('b');
  return chain.put(QUEUE, { owner, data: transferQueueData(mint, VALIDATOR) });
}

describe('spl.isMintInitialized', () => {
  it.each([
    ['a delegated queue', withQueue(DELEGATION_PROGRAM), true, 'is ready for private transfers'],
    ['a queue that is not delegated', withQueue(EPHEMERAL_TOKEN_PROGRAM), false, 'not delegated yet'],
    ['lamports where the queue would be', withQueue(SYSTEM_PROGRAM), false, 'has no transfer queue'],
    ['no queue', new Holder('b').chain, false, 'has no transfer queue'],
  ])('returns the status with %s', async (_, chain, initialized, words) => {
    const { output, sentences } = await ask(chain);
    const crank = initialized ? { crank: 'unknown' } : {};
    expect(output).toEqual({
      mint: USDC_MINT,
      validator: VALIDATOR,
      transferQueue: QUEUE,
      initialized,
      ...crank,
      ...(initialized ? {} : { notes: [expect.stringContaining(words)] }),
    });
    expect(sentences[1]).toContain(words);
  });

  it('uses the requested validator', async () => {
    const { output } = await ask(withQueue(DELEGATION_PROGRAM), { validator: OTHER_VALIDATOR });
    expect(output).toMatchObject({ validator: OTHER_VALIDATOR, initialized: false });
    expect(output.transferQueue).not.toBe(QUEUE);
  });

  it('does not report an unreadable queue as absent', async () => {
    const refused = await refusalOf(ask(withQueue(DELEGATION_PROGRAM, OTHER_VALIDATOR)));
    expect(refused.code).toBe('ACCOUNT_UNREADABLE');
  });

  it('reports whether a task pays out the queue (bug: a payment without one waited forever)', async () => {
    const chain = withQueue(DELEGATION_PROGRAM);
    const rollup = new MapRollup();
    rollup.validator = VALIDATOR;
    chain.rollup = rollup;
    const crankOf = async () => (await ask(chain)).output.crank;
    const put = (taskId: bigint, owner = EPHEMERAL_TOKEN_PROGRAM, mint = USDC_MINT) => {
      const data = transferQueueData(mint, VALIDATOR);
      new DataView(data.buffer).setBigInt64(56, taskId, true);
      rollup.put(QUEUE, { owner, data });
    };
    expect(await crankOf()).toBe('unknown');
    put(0n);
    expect(await crankOf()).toBe('none');
    expect((await ask(chain)).sentences[2]).toContain('spl.ensureTransferQueueCrank');
    put(7n);
    expect(await crankOf()).toBe('scheduled');
    put(7n, DELEGATION_PROGRAM);
    expect(await crankOf()).toBe('unknown');
    put(7n, EPHEMERAL_TOKEN_PROGRAM, VALIDATOR);
    expect(await crankOf()).toBe('unknown');
    put(7n);
    rollup.validator = OTHER_VALIDATOR;
    expect(await crankOf()).toBe('unknown');
    rollup.identity = () => Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
    expect(await crankOf()).toBe('unknown');
  });

  it.each(['running', 'failing', 'none'] as const)(
    'returns what the rollup itself reports about the task: %s (bug: that of localnet was unknown)',
    async (task) => {
      const chain = withQueue(DELEGATION_PROGRAM);
      const queues: Address[] = [];
      chain.rollup = Object.assign(new MapRollup(), {
        validator: VALIDATOR,
        queueTask: async (queue: Address) => {
          queues.push(queue);
          return task;
        },
      });
      expect((await ask(chain)).output.crank).toBe(task);
      expect(queues).toEqual([QUEUE]);
      chain.rollup = Object.assign(chain.rollup, { validator: OTHER_VALIDATOR });
      expect((await ask(chain, { validator: VALIDATOR })).output.crank).toBe('unknown');
    },
  );

  it('is rejected on layout A', async () => {
    expect((await refusalOf(ask(new Holder('a').chain))).code).toBe('UNSUPPORTED_ON_CLUSTER');
  });

  it.each([
    ['mint', { mint: undefined }],
    ['mint', { mint: 'USDC' }],
    ['validator', { validator: '' }],
    ['cluster', { cluster: 0 }],
    ['owner', { owner: VALIDATOR }],
  ])('rejects an invalid %s before any read: %j', (field, args) => {
    expect(faultyFields(operationOn(new Holder('b').chain), { mint: USDC_MINT, ...args })).toEqual([field]);
  });
});
