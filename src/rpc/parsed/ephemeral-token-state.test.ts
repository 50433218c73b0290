import { describe, expect, it } from 'vitest';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveEata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { uiTokenAmount } from '../accounts/token-amount.ts';
import { filled, littleEndian } from '../testing/parse-call.ts';
import { accountWith, mintData } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { parseState } from './testing/parse-state.ts';

const OWNER = addressFilledWith(1);
const MINT = addressFilledWith(2);
const EATA = deriveEata(OWNER, MINT).address;
const VAULT = deriveVault(MINT).address;

const lookUp = (address: Address): Account | null =>
  address === MINT ? accountWith(mintData({ decimals: 6 })) : null;
const parse = (data: number[], address: Address, find = lookUp): unknown =>
  parseState(EPHEMERAL_TOKEN_PROGRAM, data, address, find);

describe('accounts of the ephemeral SPL token program', () => {
  const eata = [...filled(1), ...filled(2), ...littleEndian(1_500_000, 8)];

  it.each([
    ['layout A', eata],
    ['layout B', [...eata, 254, 0, 0, 0, 0, 0, 0, 0]],
  ])('show the balance of an eATA of %s', (_, data) => {
    expect(parse(data, EATA)).toEqual({
      info: { mint: MINT, owner: OWNER, tokenAmount: uiTokenAmount(1_500_000n, 6) },
      type: 'ephemeralAccount',
    });
  });

  it('show the vault of a mint', () => {
    expect(parse(filled(2), VAULT)).toEqual({
      info: { mint: MINT, tokenAccount: undefined },
      type: 'globalVault',
    });
    expect(parse([...filled(2), ...filled(3), 255], VAULT)).toEqual({
      info: { mint: MINT, tokenAccount: addressFilledWith(3) },
      type: 'globalVault',
    });
  });

  it('are not recognized in other data', () => {
    // A shuttle has the length of an eATA of layout A.
    expect(parse(eata, VAULT)).toBe('not parsed');
    expect(parse(filled(2), EATA)).toBe('not parsed');
    expect(parse(eata, EATA, () => null)).toBe('not parsed');
    expect(parse([], EATA)).toBe('not parsed');
  });
});
