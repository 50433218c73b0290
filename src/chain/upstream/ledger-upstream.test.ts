import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Keypair } from '../../ledger/keypair.ts';
import { LedgerChain } from '../../ledger/ledger-chain.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../../ledger/testing/test-ledger.ts';
import { silentLogger } from '../../ports/logger.ts';
import { LOCALNET_VALIDATOR, SYSTEM_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { type Clusters, createClusters } from '../clusters.ts';
import { clusterSettings, urls } from '../testing/cluster-settings.ts';
import { serveLedger } from '../testing/ledger-upstream.ts';
import type { LoopbackServer } from '../testing/loopback-server.ts';

const NOBODY = addressOf(new Uint8Array(32).fill(77));

let local: TestLedger;
let server: LoopbackServer;
let clusters: Clusters;
let wallet: Keypair;

beforeAll(async () => {
  local = await openTestLedger();
  wallet = await local.fundedWallet();
  server = await serveLedger(local.ledger);
  const settings = clusterSettings({
    cluster: 'mainnet',
    baseRpcUrl: urls(server.url.href),
    ephemeralRpcUrl: urls(server.url.href),
  });
  clusters = createClusters(settings, {
    clock: local.clock,
    random: local.random,
    logger: silentLogger,
    localnet: new LedgerChain('localnet', local.ledger, LOCALNET_VALIDATOR),
  });
});
afterAll(async () => {
  clusters.close();
  await server.close();
  await local.ledger.close();
});

const transfer = (lamports: bigint): Uint8Array =>
  buildTransaction(local.ledger, [wallet], [transferLamports(wallet.address, NOBODY, lamports)]).wire;

/** An account whose data compare equal whatever kind of array they are in. */
const comparable = (account: Account | null): unknown => account && { ...account, data: [...account.data] };

describe('a ledger behind a socket', () => {
  it('returns the same as inside the process', async () => {
    const remote = clusters.resolve('mainnet');
    const inside = clusters.resolve('localnet');
    const addresses: Address[] = [wallet.address, NOBODY, USDC_MINT, SYSTEM_PROGRAM];
    const accounts = await remote.getAccounts(addresses);
    expect(accounts.map(comparable)).toEqual((await inside.getAccounts(addresses)).map(comparable));
    expect(accounts[0]).toMatchObject({ lamports: 10_000_000_000n, rentEpoch: 0xffff_ffff_ffff_ffffn });
    expect(await remote.latestBlockhash()).toEqual(await inside.latestBlockhash());
    expect(await remote.blockHeight()).toBe(await inside.blockHeight());
    for (const blockhash of [(await inside.latestBlockhash()).blockhash, NOBODY]) {
      expect(await remote.isBlockhashValid(blockhash)).toBe(blockhash !== NOBODY);
      expect(await inside.isBlockhashValid(blockhash)).toBe(blockhash !== NOBODY);
    }
    expect(await remote.validatorIdentity()).toBe(local.ledger.identity);
  });

  it('simulates a transaction and returns the accounts after it', async () => {
    const remote = clusters.resolve('mainnet');
    const run = await remote.simulateTransaction(transfer(5_000_000n), [NOBODY, USDC_MINT]);
    expect(run).toMatchObject({
      err: null,
      accounts: [{ lamports: 5_000_000n }, { owner: expect.any(String) }],
    });
    expect(run.logs).toEqual([
      'Program 11111111111111111111111111111111 invoke [1]',
      'Program 11111111111111111111111111111111 success',
    ]);
    const failed = await remote.simulateTransaction(transfer(50_000_000_000n), [NOBODY]);
    expect(failed).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] }, accounts: null });
  });

  it('accepts a signed transaction and returns its status', async () => {
    const remote = clusters.resolve('mainnet');
    const signature = await remote.sendTransaction(transfer(7_000_000n));
    expect(await remote.signatureStatus(signature)).toMatchObject({ err: null });
    expect(await remote.getAccounts([NOBODY])).toMatchObject([{ lamports: 7_000_000n }]);
    const unknown = signature.startsWith('1') ? `2${signature.slice(1)}` : '1'.repeat(64);
    expect(await remote.signatureStatus(unknown)).toBeNull();
  });

  it('returns the reason for a rejected transaction', async () => {
    const sent = clusters.resolve('mainnet').sendTransaction(transfer(50_000_000_000n));
    await expect(sent).rejects.toMatchObject({
      code: 'TRANSACTION_FAILED',
      context: {
        rpcCode: -32_002,
        reason: '{"InstructionError":[0,{"Custom":1}]}',
        logs: expect.arrayContaining([expect.stringContaining('failed: custom program error: 0x1')]),
      },
    });
  });
});
