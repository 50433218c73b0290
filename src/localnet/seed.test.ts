import { describe, expect, it } from 'vitest';
import type { Localnet } from './localnet.ts';
import { startLocalnet } from './start-localnet.ts';
import { ask, balanceOf, deposit, paymentsOf } from './testing/call-localnet.ts';

const STARTS_AT_MS = 1_767_225_600_000;

/** A life of payments; everything that either ledger says of it afterwards, byte by byte. */
async function live(localnet: Localnet): Promise<unknown> {
  const { urls } = localnet;
  const starts = [await slotOf(urls.base), await slotOf(urls.rollup)] as const;
  const alice = await localnet.createWallet({ sol: 2, tokens: 10_000_000n });
  const bob = await localnet.createWallet({ sol: 1, tokens: 1n });
  await deposit(localnet, alice, 6_000_000n);
  await localnet.timeTravel({ ms: 800 });
  await deposit(localnet, bob, 1n);
  await localnet.timeTravel({ ms: 800 });
  const { undelegate } = paymentsOf(localnet);
  await localnet.send(await undelegate({ payer: alice.address, mint: localnet.mint }), alice);
  await localnet.timeTravel({ ms: 2_000 });
  return {
    wallets: [alice, bob].map(({ address }) => address),
    base: await blocksOf(urls.base, starts[0]),
    rollup: await blocksOf(urls.rollup, starts[1]),
    balances: [await balanceOf(localnet, alice), await balanceOf(localnet, bob)],
  };
}

const slotOf = async (url: string): Promise<number> =>
  (await ask(url, 'getSlot', { commitment: 'processed' })) as number;

/** The genesis of a node, and its finished blocks from a slot on, with their transactions in base64. */
async function blocksOf(url: string, from: number): Promise<unknown> {
  const slots = (await ask(url, 'getBlocks', from)) as number[];
  const options = { encoding: 'base64', maxSupportedTransactionVersion: 0 };
  const blocks = await Promise.all(slots.map((slot) => ask(url, 'getBlock', slot, options)));
  return { genesis: await ask(url, 'getGenesisHash'), blocks };
}

describe('a localnet with a seed and a stopped clock', () => {
  it('produces the same bytes in every run, and others with another seed', async () => {
    const run = async (seed: string): Promise<unknown> => {
      await using localnet = await startLocalnet({ seed, clock: { startsAtMs: STARTS_AT_MS } });
      return await live(localnet);
    };
    const [one, same, other] = [await run('one'), await run('one'), await run('other')];
    expect(JSON.stringify(one, inText)).toContain('"transactions":[{');
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('produces the same bytes after each reset', async () => {
    await using localnet = await startLocalnet({ seed: 's', clock: { startsAtMs: STARTS_AT_MS } });
    await localnet.createWallet({ sol: 1 });
    const snapshot = await localnet.snapshot();
    await localnet.reset(snapshot);
    const first = await live(localnet);
    await localnet.timeTravel({ ms: 100_000 });
    await localnet.reset(snapshot);
    expect(await live(localnet)).toEqual(first);
  });

  it('keeps the slot until time travel', async () => {
    await using localnet = await startLocalnet({ clock: { startsAtMs: STARTS_AT_MS } });
    const { base } = localnet.urls;
    const slot = await ask(base, 'getSlot', { commitment: 'processed' });
    await localnet.timeTravel({ ms: 400 });
    expect(await ask(base, 'getSlot', { commitment: 'processed' })).toBe((slot as number) + 1);
    expect(await ask(base, 'getBlockTime', slot)).toBe(STARTS_AT_MS / 1_000);
  });
});

const inText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
