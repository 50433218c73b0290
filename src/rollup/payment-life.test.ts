import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/run-operation.ts';
import type { Keypair } from '../ledger/keypair.ts';
import { NATIVE_MINT, TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import { syncNative } from '../programs/token/instructions.ts';
import type { Address } from '../solana/address.ts';
import { openPaymentScene, signBuilt, type PaymentScene } from './testing/payment-scene.ts';

/** The life of private payments on the real programs and the real rollup, using only the operations. */

let scene: PaymentScene;
beforeEach(async () => {
  scene = await openPaymentScene();
});
afterEach(() => scene.close());

/** Gives wallets tokens on base. */
type Fund = (wallets: readonly Keypair[], amount: bigint) => Promise<Address>;

const fundUsdc: Fund = async (wallets, amount) => {
  for (const { address } of wallets) await scene.base.airdropTokens(address, USDC_MINT, amount);
  return USDC_MINT;
};

const fundWrappedSol: Fund = async (wallets, amount) => {
  for (const wallet of wallets) {
    const { address: ata } = deriveAta(wallet.address, NATIVE_MINT, TOKEN_PROGRAM);
    const place = { payer: wallet.address, owner: wallet.address, mint: NATIVE_MINT, ata };
    await scene.land(
      wallet,
      createAtaIdempotent({ ...place, tokenProgram: TOKEN_PROGRAM }),
      transferLamports(wallet.address, ata, amount),
      syncNative(TOKEN_PROGRAM, ata),
    );
  }
  return NATIVE_MINT;
};

const ON_ROLLUP = { fromBalance: 'ephemeral', toBalance: 'ephemeral' };

describe.each([
  ['6 decimals', fundUsdc, 10n ** 6n],
  ['9 decimals, wrapped SOL', fundWrappedSol, 10n ** 9n],
])('the life of payments in a mint of %s', (_, fund, unit) => {
  it.each([
    ['private', true],
    ['public', false],
  ])('deposited %s is exact to the base unit, three times over', async (_name, isPrivate) => {
    const alice = await scene.wallet();
    const bob = await scene.wallet();
    const funds = 2n * unit + 19n;
    const mint = await fund([alice, bob], funds);
    const [alices, bobs] = [await scene.logIn(alice), await scene.logIn(bob)];
    const expected = { alice: { base: funds, rollup: 0n }, bob: { base: funds, rollup: 0n } };
    const check = async () => {
      const [ofAlice, ofBob] = [
        await scene.balances(alice, mint, alices),
        await scene.balances(bob, mint, bobs),
      ];
      expect({ alice: ofAlice, bob: ofBob }).toEqual(expected);
    };
    const pay = async (from: 'alice' | 'bob', amount: bigint, visibility: string) => {
      const [payer, payee, token] = from === 'alice' ? [alice, bob, alices] : [bob, alice, bobs];
      const parties = { from: payer.address, to: payee.address, mint, amount: `${amount}` };
      const built = await scene.call('transfer', { ...parties, ...ON_ROLLUP, visibility }, token);
      expect(built.output).toMatchObject({
        sendTo: 'ephemeral',
        sendRpcEndpoint: 'http://127.0.0.1:7799',
        validator: scene.rollup.identity,
      });
      expect(scene.rollup.isBlockhashValid(String(built.output['recentBlockhash']))).toBe(true);
      expect(await scene.send(payer, built, token)).toMatchObject({ sendTo: 'ephemeral', confirmed: true });
      expected[from].rollup -= amount;
      expected[from === 'alice' ? 'bob' : 'alice'].rollup += amount;
      await check();
    };

    for (let round = 1; round <= 3; round++) {
      for (const [name, wallet, amount] of [
        ['alice', alice, unit + 11n],
        ['bob', bob, unit / 2n + 5n],
      ] as const) {
        const args = { owner: wallet.address, mint, amount: `${amount}`, private: isPrivate };
        await scene.do(wallet, 'deposit', args);
        expected[name].base -= amount;
        expected[name].rollup += amount;
        await check();
      }
      await pay('alice', unit / 4n + 3n, 'private');
      await pay('bob', unit / 3n, 'public');
      await pay('alice', 1n, 'private');

      for (const [name, wallet, token] of [
        ['alice', alice, alices],
        ['bob', bob, bobs],
      ] as const) {
        await scene.do(wallet, 'undelegate', { payer: wallet.address, mint }, token);
        await scene.rollup.settled();
        const amount = expected[name].rollup;
        await scene.do(wallet, 'withdraw', { owner: wallet.address, mint, amount: `${amount}` });
        expected[name].base += amount;
        expected[name].rollup = 0n;
        await check();
      }
      expect(scene.vaultTokens(mint)).toBe(0n);
    }
  });
});

describe('payments on localnet', () => {
  const DEPOSIT = 1_000_000n;
  let alice: Keypair;
  let bob: Keypair;
  let alices: string;

  /** Alice has deposited privately, Bob publicly. */
  beforeEach(async () => {
    alice = await scene.wallet();
    bob = await scene.wallet();
    await fundUsdc([alice, bob], DEPOSIT);
    const deposit = (owner: Keypair, isPrivate: boolean) =>
      scene.do(owner, 'deposit', { owner: owner.address, amount: '600000', private: isPrivate });
    await deposit(alice, true);
    await deposit(bob, false);
    alices = await scene.logIn(alice);
  });

  const payment = (from: Keypair, to: Keypair, amount = 7) => ({
    from: from.address,
    to: to.address,
    mint: USDC_MINT,
    amount,
    ...ON_ROLLUP,
  });

  it('shows a private balance to its owner only, and a public one to everyone', async () => {
    const read = (of: Keypair, token?: string) =>
      scene.call('getPrivateBalance', { address: of.address, mint: USDC_MINT }, token);
    expect((await read(alice, alices)).output['balance']).toBe('600000');
    expect((await refusalOf(read(alice))).code).toBe('MISSING_AUTH_TOKEN');
    const stranger = await scene.logIn(await scene.wallet());
    expect((await refusalOf(read(alice, stranger))).code).toBe('READER_NOT_ALLOWED');
    expect((await refusalOf(read(alice, 'made-up'))).code).toBe('AUTH_REFUSED');
    expect((await read(bob)).output['balance']).toBe('600000');
  });

  it('simulates a transfer for those who may read its accounts', async () => {
    const args = { ...payment(alice, bob), simulate: true };
    const tried = async (token?: string) => (await scene.call('transfer', args, token)).output['simulation'];
    expect(await tried(alices)).toMatchObject({
      status: 'succeeds',
      balanceChanges: [
        { asset: 'tokens', owner: alice.address, before: '600000', after: '599993' },
        { asset: 'tokens', owner: bob.address, before: '600000', after: '600007' },
      ],
    });
    expect(await tried()).toMatchObject({ status: 'unavailable', error: { name: 'MISSING_AUTH_TOKEN' } });
    const bobs = await scene.logIn(bob);
    expect(await tried(bobs)).toMatchObject({ status: 'unavailable', error: { name: 'AUTH_REFUSED' } });
    await expect(scene.call('transfer', payment(alice, bob, 600_001), alices)).rejects.toMatchObject({
      code: 'EATA_BALANCE_TOO_LOW',
    });
  });

  it('explains a transfer on the rollup, and an undelegation', async () => {
    const explain = async (operation: string, args: object) => {
      const { output } = await scene.call(operation, args, alices);
      const { transactionBase64 } = output;
      const request = { operation, arguments: args };
      return (await scene.call('explainTransaction', { transactionBase64, request }, alices)).output;
    };
    expect(await explain('transfer', payment(alice, bob))).toMatchObject({
      verdict: 'clear',
      request: { satisfied: 'yes' },
      simulation: { status: 'succeeds' },
      effects: {
        tokens: [
          { owner: alice.address, figure: '-0.000007 USDC', location: 'ephemeral' },
          { owner: bob.address, figure: '+0.000007 USDC', location: 'ephemeral' },
        ],
      },
    });
    expect(await explain('undelegate', { payer: alice.address, mint: USDC_MINT })).toMatchObject({
      request: { satisfied: 'yes' },
      simulation: { status: 'succeeds' },
    });
  });

  it('reports the outcome to the sender of a private transfer, with or without a token', async () => {
    const built = await scene.call('transfer', payment(alice, bob));
    expect(await scene.send(alice, built)).toMatchObject({ outcome: 'confirmed' });
    expect((await scene.balances(bob, USDC_MINT)).rollup).toBe(600_007n);
  });

  it('executes the same signed transfer once, however late it is repeated', async () => {
    const built = await scene.call('transfer', payment(alice, bob));
    const transactionBase64 = signBuilt(alice, built.output.transactionBase64);
    const send = () =>
      scene.call('sendTransaction', { transactionBase64, sendTo: 'ephemeral', confirm: true });
    expect((await send()).output).toMatchObject({ outcome: 'confirmed' });
    expect((await send()).output).toMatchObject({ outcome: 'confirmed' });
    scene.pass(10 * 60_000);
    expect((await send()).output).toMatchObject({ outcome: 'confirmed' });
    expect((await scene.balances(bob, USDC_MINT)).rollup).toBe(600_007n);
  });

  it('names a way out of every dead end', async () => {
    const carol = await scene.wallet();
    const own = { owner: alice.address, mint: USDC_MINT, amount: 1 };
    expect(await refusalOf(scene.call('withdraw', own))).toMatchObject({
      code: 'EATA_ALREADY_DELEGATED',
      message: expect.stringContaining('spl.undelegate'),
    });
    expect(await refusalOf(scene.call('deposit', own))).toMatchObject({
      code: 'EATA_ALREADY_DELEGATED',
      message: expect.stringContaining('spl.undelegate'),
    });
    expect(await refusalOf(scene.call('transfer', payment(alice, carol)))).toMatchObject({
      code: 'EATA_NOT_DELEGATED',
      message: expect.stringContaining('have the recipient deposit first'),
    });
    const onBase = { ...payment(alice, bob), fromBalance: 'base', toBalance: 'base' };
    expect(await refusalOf(scene.call('transfer', onBase))).toMatchObject({
      code: 'UNSUPPORTED_ON_CLUSTER',
      message: expect.stringContaining('pay on the rollup'),
    });
    expect(
      await refusalOf(scene.call('undelegate', { payer: carol.address, mint: USDC_MINT })),
    ).toMatchObject({ code: 'EATA_NOT_DELEGATED' });
  });

  it('reports that a settlement is in progress until base shows the tokens', async () => {
    const own = { owner: alice.address, mint: USDC_MINT, amount: '600000' };
    const built = await scene.call('undelegate', { payer: alice.address, mint: USDC_MINT });
    const goOn = await scene.holdSettlement(() => scene.send(alice, built, alices));
    for (const [name, args] of [
      ['withdraw', own],
      ['deposit', own],
      ['undelegate', { payer: alice.address, mint: USDC_MINT }],
      ['transfer', payment(alice, bob)],
      ['transfer', payment(bob, alice)],
    ] as const) {
      expect((await refusalOf(scene.call(name, args))).code).toBe('EATA_SETTLING');
    }
    goOn();
    await scene.rollup.settled();
    await scene.do(alice, 'withdraw', own);
    expect(await scene.balances(alice, USDC_MINT)).toEqual({ base: DEPOSIT, rollup: 0n });
  });
});
