import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { TransactionRecord } from './execution.ts';

/** An account that is not what it was; null is an account that does not exist. */
export interface AccountChange {
  readonly address: Address;
  readonly before: Account | null;
  readonly after: Account | null;
}

/** A transaction landed, failed or not. */
export interface TransactionLanded {
  readonly kind: 'transaction';
  readonly slot: number;
  readonly record: TransactionRecord;
  readonly changes: readonly AccountChange[];
}

/** Accounts were put in place without a transaction: by the operator, or because the ledger was reset. */
export interface AccountsSet {
  readonly kind: 'accounts';
  readonly slot: number;
  readonly changes: readonly AccountChange[];
}

/** Hears of what happens. Called synchronously and must not throw. */
export type LedgerListener = (event: TransactionLanded | AccountsSet) => void;

/** Told of the accounts of a ledger as they change, before that is durable. Must not throw. */
export interface AccountObserver {
  /**
   * An account was put in place, for good or for a single run; one with 0 lamports was taken away. It shows
   * by now.
   */
  noteAccount(address: Address, account: Account): void;
  /** Any account may be another one: the ledger was reset. */
  noteReset(): void;
}
