import { describe, expect, it } from 'vitest';
import { PROGRAMS } from '../parts/programs.ts';
import { commit, ephemeral, landed, transfer } from '../testing/transactions.ts';
import { deedOf, wholeOf } from './deed.ts';
import { ownedDeed, workOut } from './wallet-deeds.ts';

const memo = (text: string) => ({ programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', parsed: text });

describe('the effect of a transaction', () => {
  it('is a deposit, with the tokens that went into the vault', () => {
    const transaction = landed([ephemeral(0, 255), ephemeral(2, 1)], {
      inner: [transfer('ata', 'vault', '3500000', 'mint')],
    });
    expect(deedOf('base', transaction, null)).toMatchObject({
      kind: 'deposit',
      amount: 3_500_000n,
      mint: 'mint',
      feePayer: 'Alice',
      feeLamports: 5_000n,
      hasFailed: false,
    });
  });

  it('is a withdrawal, with the tokens that left the vault', () => {
    const transaction = landed([ephemeral(3, 1)], { inner: [transfer('vault', 'ata', '2250000', 'mint')] });
    expect(deedOf('base', transaction, null)).toMatchObject({ kind: 'withdrawal', amount: 2_250_000n });
  });

  it('is a payment on the rollup, with its memo', () => {
    const transaction = landed([transfer('ata of Alice', 'ata of Bob', '1250000'), memo('for lunch')]);
    expect(deedOf('rollup', transaction, null)).toMatchObject({
      kind: 'payment',
      amount: 1_250_000n,
      from: 'ata of Alice',
      to: 'ata of Bob',
      memo: 'for lunch',
    });
  });

  it('is a request to undelegate, which moves nothing', () => {
    expect(deedOf('rollup', landed([ephemeral(5)]), null)).toMatchObject({
      kind: 'undelegation',
      amount: null,
    });
  });

  it('is a settlement with the balance of that account, without the validator’s memo', () => {
    const transaction = landed([
      commit('eata of Bob', 7n),
      commit('eata of Alice', 2_250_000n),
      memo('4f2e'),
    ]);
    expect(deedOf('base', transaction, 'eata of Alice')).toMatchObject({
      kind: 'settlement',
      amount: 2_250_000n,
      to: 'eata of Alice',
      memo: null,
    });
    expect(deedOf('base', transaction, 'eata of Carol')).toMatchObject({ kind: 'settlement', amount: null });
  });

  it('is an airdrop of tokens or of SOL', () => {
    const minted = {
      programId: 'Token',
      parsed: { type: 'mintTo', info: { account: 'ata', mint: 'mint', amount: '10' } },
    };
    const given = {
      programId: PROGRAMS.system,
      parsed: { type: 'transfer', info: { source: 'faucet', destination: 'Alice', lamports: 1_000_000_000 } },
    };
    expect(deedOf('base', landed([minted]), null)).toMatchObject({
      kind: 'airdrop',
      mint: 'mint',
      to: 'ata',
    });
    expect(deedOf('base', landed([given]), null)).toMatchObject({
      kind: 'airdrop',
      mint: null,
      amount: 1_000_000_000n,
    });
  });

  it('is shown as failed if the transaction failed', () => {
    expect(
      deedOf('base', landed([ephemeral(2)], { error: { InstructionError: [0, 1] } }), null).hasFailed,
    ).toBe(true);
  });

  it('names wallets if they are known, and their accounts otherwise', () => {
    const deed = deedOf('rollup', landed([transfer('ata of Alice', 'ata of Bob', '1')]), null);
    const known = [{ wallet: 'Alice', ata: 'ata of Alice', eata: 'eata of Alice' }];
    expect(ownedDeed(deed, known)).toMatchObject({ from: 'Alice', to: 'ata of Bob' });
  });
});

describe('a whole number', () => {
  it('is exact, or unknown', () => {
    expect([1, 2n, '3', '18446744073709551615'].map(wholeOf)).toEqual([
      1n,
      2n,
      3n,
      18_446_744_073_709_551_615n,
    ]);
    expect([1.5, 2 ** 60, '', '-1', '1e3', null, undefined, {}].map(wholeOf)).toEqual(Array(8).fill(null));
  });
});

describe('the computed result', () => {
  const deposit = (amount: string, payer = 'Alice', error: unknown = null) =>
    deedOf(
      'base',
      landed([ephemeral(2)], { payer, error, inner: [transfer('ata', 'vault', amount, 'mint')] }),
      null,
    );
  const withdrawal = (amount: string, payer = 'Alice') =>
    deedOf(
      'base',
      landed([ephemeral(3)], { payer, inner: [transfer('vault', 'ata', amount, 'mint')] }),
      null,
    );

  it('is empty before anything came back', () => {
    expect(workOut([deposit('3500000')], 'Alice', null)).toBeNull();
  });

  it('is empty as long as a part is ready to withdraw or still on the rollup', () => {
    const deeds = [deposit('3500000'), withdrawal('1000000')];
    const shown = (amount: bigint, isDelegated: boolean) => ({ amount, isDelegated, slot: 7 });
    expect(workOut(deeds, 'Alice', shown(1_250_000n, false))).toBeNull();
    expect(workOut(deeds, 'Alice', shown(0n, true))).toBeNull();
    expect(workOut(deeds, 'Alice', shown(0n, false))).toEqual({ putIn: 3_500_000n, tookOut: 1_000_000n });
  });

  it('is what one wallet deposited and withdrew, without failures and other wallets', () => {
    const deeds = [
      deposit('3500000'),
      deposit('9', 'Bob'),
      deposit('8', 'Alice', 'failed'),
      withdrawal('2250000'),
      withdrawal('7', 'Bob'),
    ];
    expect(workOut(deeds, 'Alice', null)).toEqual({ putIn: 3_500_000n, tookOut: 2_250_000n });
  });
});
