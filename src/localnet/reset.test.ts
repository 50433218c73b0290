import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { readProgramDump } from '../ledger/genesis/dumps.ts';
import { EPHEMERAL_TOKEN_PROGRAM, NOOP_PROGRAM } from '../programs/addresses.ts';
import type { Address } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../solana/message.ts';
import type { Localnet } from './localnet.ts';
import { startLocalnet } from './start-localnet.ts';
import {
  ask,
  balanceOf,
  deposit,
  paymentsOf,
  payPrivately,
  privateBalanceOf,
} from './testing/call-localnet.ts';

let localnet: Localnet;
beforeAll(async () => {
  localnet = await startLocalnet();
});
afterAll(() => localnet.close());

const slotOf = async (url: string): Promise<number> =>
  (await ask(url, 'getSlot', { commitment: 'processed' })) as number;

const blockhashOf = async (url: string): Promise<string> =>
  ((await ask(url, 'getLatestBlockhash')) as { value: { blockhash: string } }).value.blockhash;

/** Hexadecimal digits that fit into one request. */
const HEX_MAX = 40_000;

/** Both ledgers as clients see them: the newest blockhash, what landed, who has what. */
async function accountOf({ urls }: Localnet, address: string): Promise<unknown> {
  return await Promise.all(
    [urls.base, urls.rollup].map(async (url) => [
      await ask(url, 'getSignaturesForAddress', address),
      ((await ask(url, 'getAccountInfo', address, { encoding: 'base64' })) as { value: unknown }).value,
      await ask(url, 'getTransactionCount'),
    ]),
  );
}

describe('reset', () => {
  it('returns both ledgers to a snapshot, also repeatedly', async () => {
    const alice = await localnet.createWallet({ sol: 1, tokens: 9n });
    const bob = await localnet.createWallet({ sol: 1, tokens: 1n });
    await deposit(localnet, alice, 4n);
    await deposit(localnet, bob, 1n);
    const snapshot = await localnet.snapshot();
    const before = await accountOf(localnet, alice.address);
    for (let round = 0; round < 3; round++) {
      expect(await balanceOf(localnet, alice)).toBe(5n);
      await payPrivately(localnet, alice, bob, 3n);
      expect(await privateBalanceOf(localnet, alice)).toBe(1n);
      await localnet.reset(snapshot);
      expect(await accountOf(localnet, alice.address)).toEqual(before);
      expect(await privateBalanceOf(localnet, alice)).toBe(4n);
    }
    await localnet.reset();
    expect(await balanceOf(localnet, alice)).toBe(0n);
    await localnet.reset(snapshot);
    expect(await balanceOf(localnet, alice)).toBe(5n);
  });

  it('keeps a transaction valid that was built before the snapshot, and lands it once', async () => {
    const alice = await localnet.createWallet({ sol: 1, tokens: 9n });
    const built = await paymentsOf(localnet).deposit({
      owner: alice.address,
      mint: localnet.mint,
      amount: 2n,
      initIfMissing: true,
      initVaultIfMissing: true,
    });
    const before = await localnet.snapshot();
    await localnet.send(built, alice);
    const after = await localnet.snapshot();
    await localnet.reset(before);
    await localnet.send(built, alice);
    expect(await privateBalanceOf(localnet, alice)).toBe(2n);
    await localnet.reset(after);
    await expect(localnet.send(built, alice)).rejects.toMatchObject({ code: 'TRANSACTION_FAILED' });
    expect(await privateBalanceOf(localnet, alice)).toBe(2n);
  });

  it('continues with the slots after the snapshot', async () => {
    const { base, rollup } = localnet.urls;
    const before = [await slotOf(base), await slotOf(rollup)] as const;
    const snapshot = await localnet.snapshot();
    await localnet.timeTravel({ ms: 3_600_000 });
    await localnet.reset(snapshot);
    const after = [await slotOf(base), await slotOf(rollup)] as const;
    // An hour has 9,000 slots on base, and 72,000 on the rollup.
    expect(after[0] - before[0]).toBeGreaterThan(0);
    expect(after[0] - before[0]).toBeLessThan(9_000);
    expect(after[1] - before[1]).toBeGreaterThan(0);
    expect(after[1] - before[1]).toBeLessThan(72_000);
  });

  it('keeps the addresses, and ends the subscriptions', async () => {
    const { urls } = localnet;
    const socket = new WebSocket(urls.baseWebSocket);
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await localnet.reset();
    await closed;
    expect(localnet.urls).toEqual(urls);
    const next = new WebSocket(urls.baseWebSocket);
    await once(next, 'open');
    next.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}');
    const [message] = (await once(next, 'message')) as [Buffer];
    expect(JSON.parse(message.toString())).toMatchObject({ id: 1, result: expect.any(Number) });
    next.terminate();
  });

  it('removes accounts that were set without a transaction', async () => {
    const address = (await localnet.createWallet()).address;
    await ask(localnet.urls.base, 'surfnet_setAccount', address, { lamports: 5 });
    await localnet.reset();
    expect(await ask(localnet.urls.base, 'getBalance', address)).toMatchObject({ value: 0 });
  });

  it('forgets programs that were deployed or replaced since, on both ledgers', async () => {
    const { base, rollup } = localnet.urls;
    const alice = await localnet.createWallet({ sol: 1, tokens: 9n });
    const snapshot = await localnet.snapshot();
    const program = (await localnet.createWallet()).address;
    const code = Buffer.from(readProgramDump(NOOP_PROGRAM)).toString('hex');
    const isCallable = async (url: string): Promise<boolean> => {
      const message = compileLegacyMessage({
        feePayer: alice.address as Address,
        blockhash: decodeBase58(await blockhashOf(url)),
        instructions: [{ programId: program as Address, accounts: [], data: new Uint8Array(0) }],
      });
      const wire = Buffer.from(encodeUnsignedTransaction(message)).toString('base64');
      const { value } = (await ask(url, 'simulateTransaction', wire, { encoding: 'base64' })) as {
        value: { err: unknown };
      };
      return value.err === null;
    };
    for (let round = 0; round < 2; round++) {
      for (let at = 0; at < code.length; at += HEX_MAX) {
        await ask(base, 'surfnet_writeProgram', program, code.slice(at, at + HEX_MAX), at / 2);
      }
      expect([await isCallable(base), await isCallable(rollup)]).toEqual([true, true]);
      await ask(base, 'surfnet_writeProgram', EPHEMERAL_TOKEN_PROGRAM, '00'.repeat(64), 0);
      await localnet.reset(snapshot);
      expect([await isCallable(base), await isCallable(rollup)]).toEqual([false, false]);
      await deposit(localnet, alice, 4n);
      expect(await privateBalanceOf(localnet, alice)).toBe(4n);
      await localnet.reset(snapshot);
    }
  });

  it('forgets idempotency keys: one may be used for another request', async () => {
    const { urls, mint } = localnet;
    const { address: owner } = await localnet.createWallet({ sol: 1, tokens: 9n });
    const snapshot = await localnet.snapshot();
    const post = async (amount: number): Promise<number> => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'a-key-of-a-test' };
      const body = JSON.stringify({ owner, mint, amount, initIfMissing: true, initVaultIfMissing: true });
      return (await fetch(`${urls.service}/v1/spl/deposit`, { method: 'POST', headers, body })).status;
    };
    expect([await post(1), await post(2)]).toEqual([200, 422]);
    await localnet.reset(snapshot);
    expect(await post(2)).toBe(200);
  });

  it('rejects the snapshot of another localnet', async () => {
    await using other = await startLocalnet();
    const snapshot = await other.snapshot();
    await expect(localnet.reset(snapshot)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(await ask(localnet.urls.base, 'getHealth')).toBe('ok');
  });

  it('runs concurrent resets, snapshots and time travels one after the other', async () => {
    const alice = await localnet.createWallet({ tokens: 1n });
    const snapshot = await localnet.snapshot();
    await localnet.fund(alice, { tokens: 1n });
    const [, second] = await Promise.all([
      localnet.reset(snapshot),
      localnet.snapshot(),
      localnet.timeTravel({ ms: 1_000 }),
    ]);
    expect(await balanceOf(localnet, alice)).toBe(1n);
    await localnet.reset(second);
    expect(await balanceOf(localnet, alice)).toBe(1n);
  });
});
