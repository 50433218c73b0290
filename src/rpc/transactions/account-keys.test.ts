import { describe, expect, it } from 'vitest';
import { allAccountKeys } from '../../ledger/run/account-keys.ts';
import { BPF_LOADER_UPGRADEABLE, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { type Address, isAddress } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { addressFilledWith, v0Wire } from '../testing/transactions.ts';
import { countRequestedWriteLocks, RESERVED_KEYS, showAccountKeys } from './account-keys.ts';

const [ONE, TWO, THREE, FOUR] = [1, 2, 3, 4].map(addressFilledWith) as [Address, Address, Address, Address];

/**
 * A transaction of the keys, of which the first two sign, the second and the last read-only; it calls the
 * third.
 */
const transactionOf = (keys: readonly Address[]): ReturnType<typeof decodeTransaction> =>
  decodeTransaction(
    v0Wire({
      keys,
      header: [2, 1, 1],
      instructions: [{ programIdIndex: 2, accounts: [0], data: new Uint8Array() }],
      lookups: [],
    }),
  );

const LOADED = { writable: [addressFilledWith(8)], readonly: [addressFilledWith(9)] };
const NONE = { writable: [], readonly: [] };

const writableOf = (keys: readonly Address[]): unknown[] =>
  showAccountKeys(transactionOf(keys), NONE).map((key) => (key as { writable: boolean }).writable);

describe('account keys', () => {
  it('are the message’s own, then writable and read-only ones of tables', () => {
    const transaction = transactionOf([ONE, TWO, THREE, FOUR]);
    expect(allAccountKeys(transaction, LOADED)).toEqual([
      ONE,
      TWO,
      THREE,
      FOUR,
      addressFilledWith(8),
      addressFilledWith(9),
    ]);
    expect(allAccountKeys(transaction, NONE)).toBe(transaction.staticKeys);
  });

  it('are shown with signer, source and writable', () => {
    const shown = showAccountKeys(transactionOf([ONE, TWO, FOUR, THREE]), LOADED);
    expect(shown).toEqual([
      { pubkey: ONE, signer: true, source: 'transaction', writable: true },
      { pubkey: TWO, signer: true, source: 'transaction', writable: false },
      { pubkey: FOUR, signer: false, source: 'transaction', writable: false },
      { pubkey: THREE, signer: false, source: 'transaction', writable: false },
      { pubkey: addressFilledWith(8), signer: false, source: 'lookupTable', writable: true },
      { pubkey: addressFilledWith(9), signer: false, source: 'lookupTable', writable: false },
    ]);
  });

  it('of programs and sysvars are never writable, those of called programs not without the upgradeable loader', () => {
    expect(writableOf([ONE, TWO, THREE, FOUR, FOUR])).toEqual([true, false, false, true, false]);
    expect(writableOf([ONE, TWO, THREE, SYSTEM_PROGRAM, FOUR])).toEqual([true, false, false, false, false]);
    expect(writableOf([ONE, TWO, THREE, FOUR, BPF_LOADER_UPGRADEABLE])).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  it('count as write locks if the message requests them, reserved or not', () => {
    expect(countRequestedWriteLocks(transactionOf([ONE, TWO, SYSTEM_PROGRAM, FOUR]), LOADED)).toBe(3);
  });
});

describe('reserved keys', () => {
  it('are all addresses', () => {
    expect([...RESERVED_KEYS].filter((key) => !isAddress(key))).toEqual([]);
    expect(RESERVED_KEYS.size).toBe(31);
  });
});
