import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Steps } from '../scan/scan.ts';
import { compareKeys, type KeyedAccount } from './account-lists.ts';

/** Accounts examined per step. */
const ACCOUNTS_AT_ONCE = 64;

/** Most accounts returned (Agave `NUM_LARGEST_ACCOUNTS`). */
const LARGEST_ACCOUNTS = 20;

/** The address of an account and its amount. */
export type Holding = readonly [Address, bigint];

/**
 * Returns the `count` accounts with the largest amounts, by amount and then by address bytes, both descending
 * (Agave keeps the pairs in a heap). Iterates over `accounts` once.
 */
export function* largestAccounts(
  accounts: Iterable<KeyedAccount>,
  amountOf: (account: Account) => bigint,
  count: number = LARGEST_ACCOUNTS,
): Steps<readonly Holding[]> {
  const largest: Holding[] = [];
  let looked = 0;
  for (const [address, account] of accounts) {
    if (looked++ % ACCOUNTS_AT_ONCE === 0) yield 0;
    const holding: Holding = [address, amountOf(account)];
    let rank = largest.length;
    while (rank > 0 && isLarger(holding, largest[rank - 1] as Holding)) rank--;
    if (rank >= count) continue;
    largest.splice(rank, 0, holding);
    if (largest.length > count) largest.pop();
  }
  return largest;
}

const isLarger = (a: Holding, b: Holding): boolean => (a[1] === b[1] ? compareKeys(a, b) > 0 : a[1] > b[1]);
