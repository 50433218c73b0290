import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TokenAccountQuery } from '../ledger.ts';
import type { DataTest, Look } from './steady-entries.ts';

/** What all accounts come to together. */
export interface AccountTotals {
  readonly count: number;
  readonly lamports: bigint;
  /** Bytes of data. */
  readonly dataBytes: number;
}

/** Which accounts are gone through: all, those a program owns, or the token accounts of somebody. */
export type AccountRange = { readonly all: true } | { readonly program: Address } | TokenAccountQuery;

/**
 * The accounts of a ledger where they are kept, as of some earlier commit. Those of later commits are
 * pending. What is read is a new object each time.
 *
 * Reads throw LEDGER_DAMAGED for what is not what was written.
 */
export interface AccountSource {
  readonly totals: AccountTotals;
  get(address: Address): Account | undefined;
  /**
   * The addresses of the accounts of a range, and perhaps of others. Null if there are more than `max`, or it
   * is not known.
   */
  addressesOf(range: AccountRange, max: number): readonly Address[] | null;
  /** Fixes the moment at once. In tokens it leaves out those of another program or mint. */
  walk(range: AccountRange, test: DataTest): IterableIterator<Look>;
  /** The accounts that are pending from the start, null for those that are gone. */
  pending(): Iterable<readonly [Address, Account | null]>;
  isPending(address: Address): boolean;
  /**
   * Has a listener told of each account that is no longer pending: the last state that was committed, the
   * same object, null if it is gone. It can be read here from then on. Returns how to have it told nothing
   * more: until then it is held on to.
   */
  onSettled(listener: (address: Address, account: Account | null) => void): () => void;
}
