import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHttpServer } from '../../http/server.ts';
import { bareGenesis } from '../../ledger/genesis/genesis.ts';
import { Fork } from '../../ledger/provision/fork.ts';
import { type ServedCluster, startServedCluster } from '../../ledger/provision/testing/served-cluster.ts';
import { buildV0 } from '../../ledger/testing/build-v0.ts';
import { lookupTable } from '../../ledger/testing/lookup-table.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../../ledger/testing/test-ledger.ts';
import { silentLogger } from '../../ports/logger.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  DELEGATION_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { BATCH_MAX, createDispatcher } from '../dispatcher.ts';
import { createRpcHandler } from '../http/rpc-handler.ts';
import { LEDGER_METHODS } from '../methods/method-table.ts';
import { TEST_VERSION } from '../testing/call-method.ts';
import { addressFilledWith as at } from '../testing/transactions.ts';
import { forkedMethods } from './forked-methods.ts';

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

let cluster: ServedCluster;
let world: TestLedger;
let ask: (method: string, ...params: readonly unknown[]) => Promise<Answer>;

beforeAll(async () => {
  cluster = await startServedCluster();
});
afterAll(() => cluster.close());

/** A node on an empty ledger, forked from the cluster, both behind real sockets. */
beforeEach(async () => {
  world = await openTestLedger({ genesis: bareGenesis() });
  const { ledger } = world;
  const fork = new Fork({ source: cluster.source, ledger, operator: ledger });
  const dispatch = createDispatcher({
    node: { ledger, version: TEST_VERSION, featureSet: 7 },
    methods: forkedMethods(LEDGER_METHODS, fork),
    batchMax: BATCH_MAX,
    logger: silentLogger,
  });
  const server = await startHttpServer('127.0.0.1', 0, createRpcHandler({ dispatch }));
  cluster.reads.length = 0;
  ask = async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(server.url, { method: 'POST', headers, body });
    return (await response.json()) as Answer;
  };
  return async () => {
    await server.close();
    fork.close();
    await ledger.close();
  };
});

const base64 = (wire: Uint8Array): string => Buffer.from(wire).toString('base64');

describe('a node that is a fork', () => {
  it('reads missing accounts from the cluster, once', async () => {
    const alice = await cluster.fundedWallet();
    for (let time = 0; time < 2; time++) {
      expect(await ask('getBalance', alice.address)).toMatchObject({ result: { value: 10_000_000_000 } });
      expect(await ask('getAccountInfo', at(99))).toMatchObject({ result: { value: null } });
    }
    expect(cluster.reads).toEqual([[alice.address], [at(99)]]);
  });

  it('runs an upgradeable program of the cluster', async () => {
    const alice = await cluster.fundedWallet();
    const call = { programId: PERMISSION_PROGRAM, accounts: [], data: new Uint8Array(0) };
    const { wire } = buildTransaction(world.ledger, [alice], [call]);
    const options = { encoding: 'base64', skipPreflight: true };
    const { result: signature } = await ask('sendTransaction', base64(wire), options);
    const record = world.ledger.getTransaction(signature as string);
    // The program's own words.
    expect(record?.logs).toContain('Program log: IO Error: Unexpected length of input');
    expect(await ask('getAccountInfo', PERMISSION_PROGRAM)).toMatchObject({
      result: { value: { executable: true } },
    });
  });

  it('follows lookup tables of the cluster', async () => {
    const alice = await cluster.fundedWallet();
    const bob = await cluster.fundedWallet();
    const table = at(50);
    await cluster.ledger.setAccounts([
      [table, lookupTable([at(1), bob.address], { extended: 600n, extendedFrom: 1 })],
    ]);
    const transfer = transferLamports(alice.address, bob.address, 7n);
    const { wire } = buildV0({
      payer: alice,
      keys: [SYSTEM_PROGRAM],
      readonlyCount: 1,
      blockhash: decodeBase58(world.ledger.head().blockhash),
      instructions: [{ program: 1, accounts: [0, 2], data: transfer.data }],
      lookups: [{ table, writable: [1], readonly: [] }],
    });
    const answer = await ask('sendTransaction', base64(wire), { encoding: 'base64' });
    expect(answer).toMatchObject({ result: expect.any(String) });
    expect(world.ledger.getAccount(bob.address)?.lamports).toBe(10_000_000_007n);
    expect(cluster.reads).toEqual([[alice.address, table], [bob.address]]);
  });

  it('keeps its own built-in accounts', async () => {
    await ask('getMultipleAccounts', [SYSTEM_PROGRAM, ASSOCIATED_TOKEN_PROGRAM]);
    expect(cluster.reads).toEqual([]);
  });

  it('reports that the cluster does not answer instead of a missing account', async () => {
    const down = await startServedCluster();
    await down.close();
    const fork = new Fork({ source: down.source, ledger: world.ledger, operator: world.ledger });
    const getBalance = forkedMethods(LEDGER_METHODS, fork).find(({ name }) => name === 'getBalance');
    const node = { ledger: world.ledger, version: TEST_VERSION, featureSet: 7 };
    await expect(getBalance?.call(node, [DELEGATION_PROGRAM])).rejects.toMatchObject({
      code: -32005,
      message: 'Accounts cannot be copied: the cluster at --url could not be reached; try again',
      data: { numSlotsBehind: null, reason: 'UPSTREAM_UNAVAILABLE' },
    });
  });
});
