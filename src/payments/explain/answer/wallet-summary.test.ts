import { describe, expect, it } from 'vitest';
import { tokenAccountData } from '../../../../test/ports/map-chain.ts';
import { NATIVE_MINT, SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import { encode } from '../../../programs/instruction-table/encode.ts';
import { SYSTEM_TABLE, transferLamports } from '../../../programs/system.ts';
import { closeTokenAccount } from '../../../programs/token/instructions.ts';
import { decodeTokenAccount } from '../../../programs/token/state.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { AddressBook } from '../address-book.ts';
import { accountOf, explainInstructions, key, OWNER, THIEF } from '../testing/explain-instructions.ts';
import { summarizeWallet } from './present-explanation.ts';

const FEE = 5_000n;
const RENT = 2_039_280n;
const [ELSEWHERE, FRIEND] = [key(31), key(32)];

/** The least that the lamports of `wallet` change by, without the fee. */
function leastOf(instructions: readonly Instruction[], wallet: Address = OWNER, account?: Account): bigint {
  const accounts = account === undefined ? new Map() : new Map([[ELSEWHERE, account]]);
  const book = new AddressBook();
  const holding = account === undefined ? null : decodeTokenAccount(account.data);
  if (holding !== null) book.addHolding(ELSEWHERE, holding);
  const explained = explainInstructions(instructions, { accounts, book });
  const lamports = explained.effects.lamports.map(({ address, change }) => ({
    address,
    change: `${change}`,
  }));
  const effects = {
    tokens: [],
    lamports,
    accountsCreated: [],
    rentLamportsMax: '0',
    networkFeeLamportsMax: `${FEE}`,
  };
  const signers = [{ address: OWNER, signature: 'missing' }] as const;
  const evidence = { explained, book, facts: null };
  const { lamportsMin } = summarizeWallet(wallet, effects, evidence, signers);
  return BigInt(lamportsMin ?? 0) + (wallet === OWNER ? FEE : 0n);
}

const bySeed = (destination: Address): Instruction =>
  encode(
    SYSTEM_TABLE.transferWithSeed,
    { source: ELSEWHERE, base: OWNER, destination },
    { lamports: 3n, seed: 'savings', owner: SYSTEM_PROGRAM },
  );

const fromNonce = (destination: Address): Instruction =>
  encode(
    SYSTEM_TABLE.withdrawFromNonce,
    {
      nonceAccount: ELSEWHERE,
      destination,
      authority: OWNER,
    },
    { lamports: 3n },
  );

const closing = closeTokenAccount(TOKEN_PROGRAM, {
  account: ELSEWHERE,
  destination: OWNER,
  authority: OWNER,
});

describe('the lamports of a wallet', () => {
  it.each([
    ['an account of its seed', bySeed],
    ['a nonce account', fromNonce],
  ])('decrease by what its signature takes from %s (bug: they did not)', (_, take) => {
    expect(leastOf([take(THIEF)])).toBe(-3n);
    expect(leastOf([take(THIEF)], THIEF)).toBe(3n);
    expect(leastOf([take(THIEF)], FRIEND)).toBe(0n);
  });

  it.each([
    ['an account of its seed', bySeed],
    ['a nonce account', fromNonce],
  ])('are not offset by %s from which it pays someone else (bug: they were)', (_, take) => {
    expect(leastOf([take(OWNER)])).toBe(0n);
    expect(leastOf([take(OWNER), transferLamports(OWNER, THIEF, 3n)])).toBe(-3n);
  });

  it('are not offset by the rent of a token account that it closes (bug: they were)', () => {
    const empty = accountOf(TOKEN_PROGRAM, tokenAccountData(USDC_MINT, OWNER, 0n), RENT);
    const paid = transferLamports(OWNER, THIEF, RENT);
    expect(leastOf([closing, paid], OWNER, empty)).toBe(-RENT);
    expect(leastOf([closing], OWNER, empty)).toBe(0n);
  });

  it('do not increase by wrapped SOL that it unwraps, which was its own', () => {
    const wrapped = accountOf(TOKEN_PROGRAM, tokenAccountData(NATIVE_MINT, OWNER, 700n), RENT + 700n);
    expect(leastOf([closing], OWNER, wrapped)).toBe(0n);
  });
});
