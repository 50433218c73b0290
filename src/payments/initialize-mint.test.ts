import { describe, expect, it } from 'vitest';
import { Holder, HOLDER, OTHER_VALIDATOR, VALIDATOR } from '../../test/ports/holder.ts';
import { MapChain } from '../../test/ports/map-chain.ts';
import { transferQueueData } from '../../test/ports/queue-data.ts';
import { callsOf, faultyFields, refusalOf, runOperation } from '../../test/run-operation.ts';
import { hostedCases } from '../../test/vectors/hosted-cases.ts';
import { Clusters } from '../chain/clusters.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { deriveTransferQueue } from '../programs/ephemeral-token/pdas.ts';
import type { Address } from '../solana/address.ts';
import { RENT_PDA } from './fees/costs.ts';
import { createInitializeMint } from './initialize-mint.ts';

const operationOn = (...chains: [MapChain, ...MapChain[]]) =>
  createInitializeMint({ clusters: new Clusters(chains) });

const initialize = ({ chain }: Pick<Holder, 'chain'>, args: object = {}) =>
  runOperation(operationOn(chain), { payer: HOLDER, mint: USDC_MINT, ...args });

const QUEUE = deriveTransferQueue(USDC_MINT, VALIDATOR).address;

function withQueue(owner: Address, holder = new Holder('b')): Holder {
  holder.chain.put(QUEUE, { owner, data: transferQueueData(USDC_MINT, VALIDATOR) });
  return holder;
}

describe('spl.initializeMint', () => {
  it('returns every member of the contract', async () => {
    const { output, sentences } = await initialize(new Holder('b'));
    expect(output).toEqual({
      notes: [expect.stringMatching(/costs at least .* SOL/)],
      kind: 'initializeMint',
      version: 'legacy',
      transactionBase64: expect.any(String),
      sendTo: 'base',
      recentBlockhash: new MapChain().blockhash,
      lastValidBlockHeight: 1_150,
      instructionCount: 7,
      requiredSigners: [HOLDER],
      validator: VALIDATOR,
      transferQueue: QUEUE,
      rentPda: RENT_PDA,
    });
    expect(callsOf(output.transactionBase64)).toEqual(['12', '23', '111111 2', '19', '1', 'AToken 1', '4']);
    expect(sentences[0]).toBe('Built an unsigned SPL initializeMint transaction.');
    expect(sentences[1]).toContain('costs at least 0.20817428 SOL');
  });

  it.each(hostedCases<{ payer: Address; mint: Address; tokenProgram?: Address }>('initializeMint'))(
    'answers the request of %s with the hosted transaction',
    async (_, { input: { tokenProgram = TOKEN_PROGRAM, ...args }, expect: expected }) => {
      const { output } = await initialize(new Holder('b', args.mint, tokenProgram), args);
      expect(output.transactionBase64).toBe(expected.transaction);
      expect(output).toMatchObject({ transferQueue: expect.any(String), rentPda: RENT_PDA });
    },
  );

  it('continues with a queue that is not delegated yet', async () => {
    const { output } = await initialize(withQueue(EPHEMERAL_TOKEN_PROGRAM));
    expect(output.instructionCount).toBe(7);
  });

  it.each([
    ['the payer has too few lamports', 'INSUFFICIENT_LAMPORTS', new Holder('b').putLamports(HOLDER, 1n), {}],
    [
      'the validator could never settle',
      'VALIDATOR_NOT_ADMITTED',
      new Holder('b'),
      { validator: OTHER_VALIDATOR },
    ],
  ])('builds with a warning when %s', async (_, code, holder, args) => {
    const { output, sentences } = await initialize(holder, args);
    expect(output.warnings?.map((warning) => warning.code)).toEqual([code]);
    expect(sentences.at(-1)).toMatch(/^Before sending: /);
  });
});

describe('spl.initializeMint rejects', () => {
  it('a mint that is already set up', async () => {
    const holder = withQueue(DELEGATION_PROGRAM);
    holder.putRecord(holder.accounts.vaultEata, VALIDATOR);
    const refused = await refusalOf(initialize(holder));
    expect(refused).toMatchObject({ code: 'MINT_ALREADY_INITIALIZED', context: { transferQueue: QUEUE } });
  });

  it('a mint whose vault is delegated to another validator, and names it', async () => {
    const holder = new Holder('b');
    holder.putRecord(holder.accounts.vaultEata, OTHER_VALIDATOR);
    const refused = await refusalOf(initialize(holder));
    expect(refused.code).toBe('EATA_VALIDATOR_MISMATCH');
    expect(refused.message).toContain(`use validator ${OTHER_VALIDATOR}`);
  });

  it('an unreadable queue', async () => {
    const holder = new Holder('b');
    holder.chain.put(QUEUE, { owner: DELEGATION_PROGRAM, data: new Uint8Array(192) });
    expect((await refusalOf(initialize(holder))).code).toBe('ACCOUNT_UNREADABLE');
  });

  it('a cluster with layout A, and names supported clusters or how to configure them', async () => {
    const local = new Holder('a').chain;
    const alone = await refusalOf(initialize({ chain: local }));
    expect(alone.code).toBe('UNSUPPORTED_ON_CLUSTER');
    expect(alone.message).toContain('initializeMint does not exist on cluster localnet');
    expect(alone.message).toContain('BASE_RPC_URL and EPHEMERAL_RPC_URL');
    const both = operationOn(local, new Holder('b').chain);
    const refused = await refusalOf(runOperation(both, { payer: HOLDER, mint: USDC_MINT }));
    expect(refused.message).toContain('pass cluster mainnet');
  });

  it.each([
    ['a payer off the curve', { payer: RENT_PDA }, 'INVALID_OWNER'],
    ['a mint that does not exist', { mint: OTHER_VALIDATOR }, 'MINT_NOT_FOUND'],
    ['an account that is not a mint', { mint: HOLDER }, 'UNSUPPORTED_TOKEN_PROGRAM'],
  ])('%s', async (_, args, code) => {
    const holder = new Holder('b', USDC_MINT, TOKEN_2022_PROGRAM);
    holder.chain.put(HOLDER, { owner: SYSTEM_PROGRAM, data: new Uint8Array() });
    expect((await refusalOf(initialize(holder, args))).code).toBe(code);
  });

  it.each([
    ['payer', { payer: undefined }],
    ['payer', { payer: 'x' }],
    ['mint', { mint: undefined }],
    ['mint', { mint: 'x' }],
    ['validator', { validator: 1 }],
    ['cluster', { cluster: true }],
    ['owner', { owner: HOLDER }],
  ])('an invalid %s before any read: %j', (field, args) => {
    const given = { payer: HOLDER, mint: USDC_MINT, ...args };
    expect(faultyFields(operationOn(new Holder('b').chain), given)).toEqual([field]);
  });
});
