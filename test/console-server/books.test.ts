import { describe, expect, it } from 'vitest';
import type { MintBook } from '../../src/console/answers.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { ask, payPrivately } from '../../src/localnet/testing/call-localnet.ts';
import { Life } from './life.ts';

/** The book of the usual mint, without its slot. */
async function bookOf(life: Life): Promise<Omit<MintBook, 'asOfSlot' | 'mint' | 'symbol' | 'decimals'>> {
  const books = await life.read<MintBook[]>('/console/api/books');
  const { asOfSlot, mint, symbol, decimals, ...book } = books.find(
    (each) => each.mint === life.localnet.mint,
  ) as MintBook;
  expect([mint, symbol, decimals]).toEqual([life.localnet.mint, 'USDC', 6]);
  expect(asOfSlot).toBeGreaterThan(0);
  return book;
}

const NOTHING = { owed: '0', onRollup: '0', wayBack: '0', ready: '0', surplus: '0', difference: null };

it('include deposits, a settlement and a withdrawal, but no payment on the rollup', async () => {
  const life = await Life.start();
  const { localnet, alice, bob } = life;
  expect(await bookOf(life)).toMatchObject({ ...NOTHING, state: 'empty' });

  await life.deposit(alice, 3_500_000n);
  await life.deposit(bob, 1_000_000n);
  const vault = { address: expect.any(String), amount: '4500000' };
  const deposited = { ...NOTHING, vault, owed: '4500000', onRollup: '4500000', state: 'agree' };
  expect(await bookOf(life)).toEqual(deposited);

  await payPrivately(localnet, alice, bob, 1_250_000n);
  await localnet.settled();
  expect(await bookOf(life)).toEqual(deposited);

  // Alice's balance is now settled on base, and Bob's is not.
  await life.undelegate(alice);
  expect(await bookOf(life)).toEqual({
    ...NOTHING,
    vault,
    owed: '3250000',
    onRollup: '1000000',
    ready: '2250000',
    surplus: '1250000',
    state: 'under-way',
  });

  await life.withdraw(alice, 2_250_000n);
  await life.undelegate(bob);
  expect(await bookOf(life)).toEqual({
    ...NOTHING,
    vault: { ...vault, amount: '2250000' },
    owed: '2250000',
    ready: '2250000',
    state: 'agree',
  });
  await life.withdraw(bob, 2_250_000n);
  expect(await bookOf(life)).toMatchObject({ ...NOTHING, state: 'empty' });
});

/** Changes the amount in the vault's token account. */
async function setVault(life: Life, amount: bigint): Promise<void> {
  const { base } = life.localnet.urls;
  const { address } = (await bookOf(life)).vault;
  const { value } = (await ask(base, 'getAccountInfo', address, { encoding: 'base64' })) as {
    value: { data: [string] };
  };
  const data = Buffer.from(value.data[0], 'base64');
  data.writeBigUInt64LE(amount, 64);
  await ask(base, 'surfnet_setAccount', address, { data: data.toString('hex') });
}

it('report the amount that a vault lacks', async () => {
  const life = await Life.start();
  await life.deposit(life.alice, 3_000_000n);
  await setVault(life, 2_500_000n);
  expect(await bookOf(life)).toMatchObject({ state: 'disagree', difference: '500000', owed: '3000000' });
});

describe.skipIf(LAYOUT_B_FOLDER === null)(`on layout B (needs ${NO_LAYOUT_B})`, () => {
  const start = (): Promise<Life> => Life.start({ programs: LAYOUT_B_FOLDER as string });

  it('report what was settled on base, and are pending while anything is delegated', async () => {
    const life = await start();
    const { localnet, alice, bob } = life;
    await life.deposit(alice, 3_500_000n);
    await life.deposit(bob, 1_000_000n);
    const vault = { address: expect.any(String), amount: '4500000' };
    const told = { ...NOTHING, vault, surplus: '4500000', state: 'under-way' };
    expect(await bookOf(life)).toEqual(told);
    await payPrivately(localnet, alice, bob, 1_250_000n);
    await localnet.settled();
    expect(await bookOf(life)).toEqual(told);
    await life.undelegate(alice);
    const ready = { owed: '2250000', ready: '2250000', surplus: '2250000' };
    expect(await bookOf(life)).toEqual({ ...told, ...ready });
  });

  it.each([0n, 1n])('do not match a vault that has %s units left, and report what it owes', async (left) => {
    const life = await start();
    const { alice, bob } = life;
    await life.deposit(alice, 3_500_000n);
    await life.deposit(bob, 1_000_000n);
    await setVault(life, left);
    expect(await bookOf(life)).toMatchObject({ state: 'under-way', owed: '0', difference: null });
    await setVault(life, 4_500_000n);
    await life.undelegate(alice);
    await setVault(life, left);
    expect(await bookOf(life)).toMatchObject({
      state: 'disagree',
      owed: '3500000',
      ready: '3500000',
      difference: String(3_500_000n - left),
    });
  });

  it('include settlements of eATAs that were delegated again', async () => {
    const life = await start();
    await life.deposit(life.alice, 3_500_000n);
    await life.undelegate(life.alice);
    await life.withdraw(life.alice, 1_000_000n);
    expect(await bookOf(life)).toMatchObject({ onRollup: '3500000', state: 'under-way', difference: null });
  });
});
