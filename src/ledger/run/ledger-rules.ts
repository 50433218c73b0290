import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { TransactionError } from '../transaction-errors.ts';
import type { AccountKeys } from './account-keys.ts';
import type { Outcome } from './executor.ts';

/** The decision of a ledger's rules about a transaction that succeeded. */
export type Verdict =
  /** The transaction fails, and nothing changes. */
  (
    | { readonly err: TransactionError }
    /** Accounts that change in the same commit; the transaction need not name them. */
    | { readonly also: readonly (readonly [Address, Account])[] }
  ) & {
    /** Lines appended to its logs. */
    readonly logs?: readonly string[];
  };

/**
 * Rules of a ledger beyond Solana's. A transaction that breaks one lands as failed. Simulations call them
 * too, so neither method may have visible effects.
 */
export interface LedgerRules {
  /** Called right before a transaction runs: the error that stops it, or null. */
  admit(transaction: Transaction, keys: AccountKeys): TransactionError | null;
  /**
   * Called after every run, failed or not. Returns accounts that the transaction needs and did not find. It
   * is run again with them, until no more are returned. Those that the last run did not write are dropped.
   */
  supply?(
    transaction: Transaction,
    keys: AccountKeys,
    outcome: Outcome,
  ): readonly (readonly [Address, Account])[];
  /** Called after a successful run. */
  judge(transaction: Transaction, keys: AccountKeys, outcome: Outcome): Verdict;
}
