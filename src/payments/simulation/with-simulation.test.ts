import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MapChain } from '../../../test/ports/map-chain.ts';
import { Clusters } from '../../chain/clusters.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { LedgerChain } from '../../ledger/ledger-chain.ts';
import { openTestLedger, type TestLedger } from '../../ledger/testing/test-ledger.ts';
import { LOCALNET_VALIDATOR, SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { createDeposit } from '../deposit.ts';
import { ANONYMOUS, type Operation } from '../operation.ts';
import { runSimulation, type SimulationSummary, withSimulation } from './with-simulation.ts';

let stack: TestLedger;
let owner: Address;
let operation: Operation;

beforeAll(async () => {
  stack = await openTestLedger();
  owner = (await stack.fundedWallet()).address;
  await stack.ledger.airdropTokens(owner, USDC_MINT, 2_000_000n);
  const clusters = new Clusters([new LedgerChain('localnet', stack.ledger, LOCALNET_VALIDATOR)]);
  operation = withSimulation(createDeposit({ clusters, random: stack.random }), clusters);
});

afterAll(() => stack.ledger.close());

async function run(args: object) {
  const { output, sentences } = await operation.run(
    operation.input.parse({ owner, amount: 1_500_000, ...args }),
    ANONYMOUS,
  );
  return { output: operation.output.parse(output) as { simulation?: SimulationSummary }, sentences };
}

describe('withSimulation', () => {
  it('adds one member to the input and one to the output, and nothing else', () => {
    const plain = createDeposit({ clusters: new Clusters([new MapChain()]), random: stack.random });
    const shapeOf = (schema: z.ZodType) => Object.keys((schema as z.ZodObject).shape);
    expect(shapeOf(operation.input)).toEqual([...shapeOf(plain.input), 'simulate']);
    expect(shapeOf(operation.output)).toEqual([...shapeOf(plain.output), 'simulation']);
    expect(operation.input.safeParse({ owner, amount: 1, simulat: true }).success).toBe(false);
    expect(operation.input.safeParse({ owner, amount: 1, simulate: 'yes' }).success).toBe(false);
    expect(operation.input.safeParse({ owner, amount: 0 }).success).toBe(false);
  });

  it('simulates only if requested', async () => {
    expect(await run({})).not.toHaveProperty('output.simulation');
    expect(await run({ simulate: false })).not.toHaveProperty('output.simulation');
  });

  it('reports what the transaction would do, and does not do it', async () => {
    const { output, sentences } = await run({ simulate: true });
    expect(output.simulation).toMatchObject({ status: 'succeeds', logsTruncated: false });
    expect(output.simulation?.computeUnits).toBeGreaterThan(10_000);
    const tokens = output.simulation?.balanceChanges.filter(({ asset }) => asset === 'tokens');
    expect(tokens?.map(({ change, after }) => [change, after]).toSorted()).toEqual([
      ['-1500000', '500000'],
      ['1500000', '1500000'],
    ]);
    expect(sentences.at(-1)).toMatch(
      /^Simulated on the current ledger, it succeeds with \d+ compute units\.$/,
    );
    expect((await run({ simulate: true })).output.simulation?.status).toBe('succeeds');
  });

  it('describes why the transaction would fail', async () => {
    const { output, sentences } = await run({ simulate: true, amount: 2_000_001 });
    expect(output.simulation).toMatchObject({
      status: 'fails',
      error: {
        name: 'Custom',
        code: 1,
        program: TOKEN_PROGRAM,
        message: expect.stringContaining('too few tokens'),
      },
      balanceChanges: [],
    });
    expect(sentences.at(-1)).toContain('it FAILS');
  });

  it('rejects an operation whose schemas cannot be extended', () => {
    const clusters = new Clusters([new MapChain()]);
    const odd = { ...operation, input: z.string() } as unknown as Operation;
    expect(() => withSimulation(odd, clusters)).toThrow(TypeError);
  });

  it('simulates the setup transaction if there is one, because it is sent first', async () => {
    const chain = new MapChain();
    const tried: Uint8Array[] = [];
    chain.simulateTransaction = ((wire: Uint8Array) => {
      tried.push(wire);
      return Promise.resolve({ err: null, logs: [], computeUnits: 1, accounts: null });
    }) as never;
    const built = (lamports: bigint) => ({
      sendTo: 'base',
      transactionBase64: Buffer.from(wireOf(lamports)).toString('base64'),
    });
    const twofold = {
      ...operation,
      input: z.strictObject({}),
      output: z.object({}),
      run: () => Promise.resolve({ output: { ...built(1n), setupTransaction: built(2n) }, sentences: [] }),
    } as unknown as Operation;
    const { run: tryIt } = withSimulation(twofold, new Clusters([chain]));
    await tryIt({ simulate: true }, ANONYMOUS);
    expect(tried.map((wire) => Buffer.from(wire))).toEqual([Buffer.from(wireOf(2n))]);
  });
});

const wireOf = (lamports: bigint): Uint8Array => {
  const payer = addressOf(new Uint8Array(32).fill(3));
  return encodeUnsignedTransaction(
    compileLegacyMessage({
      feePayer: payer,
      blockhash: new Uint8Array(32),
      instructions: [transferLamports(payer, SYSTEM_PROGRAM, lamports)],
    }),
  );
};

describe('runSimulation', () => {
  const simulation = {
    layout: 'a',
    wire: new Uint8Array(),
    watch: [],
    programs: [],
    token: undefined,
  } as const;

  it('caps a long log', async () => {
    const node = new MapChain();
    const logs = Array.from({ length: 101 }, (_, index) => `Program log: ${index}`);
    node.simulateTransaction = (() =>
      Promise.resolve({ err: null, logs, computeUnits: 1, accounts: null })) as never;
    const { summary } = await runSimulation({ ...simulation, node });
    expect(summary.logs).toHaveLength(100);
    expect(summary.logsTruncated).toBe(true);
    logs.splice(0, 101, 'x'.repeat(9_000), 'y'.repeat(1_001));
    expect((await runSimulation({ ...simulation, node })).summary.logs).toEqual(['x'.repeat(9_000)]);
  });

  it('builds even if the ledger cannot be read, but does not hide a bug', async () => {
    const node = new MapChain();
    node.simulateTransaction = () =>
      Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'The base ledger was late'));
    expect((await runSimulation({ ...simulation, node })).summary).toMatchObject({
      status: 'unavailable',
      error: { name: 'UPSTREAM_TIMEOUT', message: 'The base ledger was late' },
    });
    node.simulateTransaction = () => Promise.reject(new Error('a bug'));
    await expect(runSimulation({ ...simulation, node })).rejects.toThrow('a bug');
  });
});
