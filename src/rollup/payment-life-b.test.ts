import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/run-operation.ts';
import type { Keypair } from '../ledger/keypair.ts';
import { LAYOUT_B_FOLDER } from '../ledger/network-programs/testing/layout-b-dumps.ts';
import { USDC_MINT } from '../programs/addresses.ts';
import { openPaymentScene, type PaymentScene } from './testing/payment-scene.ts';

/** The life of private payments on the programs of the networks, using only the operations. */

let scene: PaymentScene;
let alice: Keypair;
let bob: Keypair;
let token: string;

const mint = USDC_MINT;

beforeEach(async () => {
  if (LAYOUT_B_FOLDER === null) return;
  scene = await openPaymentScene('b');
  alice = await scene.wallet();
  bob = await scene.wallet();
  await scene.base.airdropTokens(alice.address, mint, 1_000_000n);
  await scene.do(alice, 'initializeMint', { payer: alice.address, mint });
  token = await scene.logIn(alice);
});
afterEach(() => scene?.close());

const deposit = (amount: number) =>
  scene.do(alice, 'deposit', { owner: alice.address, mint, amount, private: true });

const transfer = (amount: number, fromBalance: 'base' | 'ephemeral') =>
  scene.do(
    alice,
    'transfer',
    {
      from: alice.address,
      to: bob.address,
      mint,
      amount,
      visibility: 'private',
      fromBalance,
      toBalance: 'base',
    },
    token,
  );

describe.skipIf(LAYOUT_B_FOLDER === null)('the life of payments on layout B', () => {
  it('is exact to the base unit: deposited twice, paid from base and from the rollup, withdrawn, undelegated', async () => {
    await deposit(300_000);
    await deposit(100_000);
    expect(await scene.balances(alice, mint, token)).toEqual({ base: 600_000n, rollup: 400_000n });
    await transfer(100_000, 'base');
    await scene.settle(2_000);
    expect(await scene.call('getBalance', { address: bob.address, mint })).toMatchObject({
      output: { balance: '100000' },
    });
    await transfer(50_000, 'ephemeral');
    await scene.settle(2_000);
    expect(await scene.call('getBalance', { address: bob.address, mint })).toMatchObject({
      output: { balance: '150000' },
    });
    // The queue keeps the fee of the payment from base, 10 basis points.
    expect(await scene.balances(alice, mint, token)).toEqual({ base: 499_900n, rollup: 350_000n });
    expect(scene.vaultTokens(mint)).toBe(350_100n);
    await scene.do(alice, 'withdraw', { owner: alice.address, mint, amount: 50_000 }, token);
    await scene.settle(2_000);
    expect(await scene.balances(alice, mint, token)).toEqual({ base: 549_900n, rollup: 300_000n });
    await scene.do(alice, 'undelegate', { payer: alice.address, mint }, token);
    await scene.settle(2_000);
    await scene.do(
      alice,
      'withdraw',
      { owner: alice.address, mint, amount: 300_000, idempotent: false },
      token,
    );
    expect(await scene.call('getBalance', { address: alice.address, mint })).toMatchObject({
      output: { balance: '849900' },
    });
    expect(scene.vaultTokens(mint)).toBe(100n);
  });

  it('reports that the rollup runs the task of a queue it has just received', async () => {
    const { output } = await scene.call('isMintInitialized', { mint });
    expect(output).toMatchObject({ initialized: true, crank: 'running' });
  });

  it('rejects a withdrawal of more than the rollup shows, and warns if it shows nothing', async () => {
    await deposit(300_000);
    const withdraw = (amount: number, as?: string) =>
      scene.call('withdraw', { owner: alice.address, mint, amount }, as);
    const refused = await refusalOf(withdraw(300_001, token));
    expect(refused.code).toBe('EATA_BALANCE_TOO_LOW');
    expect(refused.message).toContain('holds 0.3 USDC');
    expect((await withdraw(300_000, token)).output).not.toHaveProperty('warnings');
    for (const [reader, why] of [
      [undefined, "pass the owner's bearer token"],
      [await scene.logIn(bob), "not the owner's"],
      ['not a token', 'does not accept the bearer token'],
    ] as const) {
      const { output } = await withdraw(300_001, reader);
      expect(output).toMatchObject({
        warnings: [{ code: 'BALANCE_UNREAD', message: expect.stringContaining(why) }],
      });
      expect(JSON.stringify(output)).not.toContain('0.3 USDC');
    }
  });

  it('shows a private balance to its owner only', async () => {
    await deposit(300_000);
    const refused = await refusalOf(scene.call('getPrivateBalance', { address: alice.address, mint }));
    expect(refused.code).toBe('MISSING_AUTH_TOKEN');
  });
});
