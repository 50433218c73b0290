import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { TransactionError } from '../transaction-error.ts';
import type { AccountKeys } from './account-keys.ts';
import type { Outcome } from './executor.ts';

/** What a ledger asks of a transaction that succeeded, or adds to it. */
export type Verdict =
  /** It fails all the same, and nothing changes. */
  (
    | { readonly err: TransactionError }
    /** Accounts that change with it, in the same commit; it need not name them. */
    | { readonly also: readonly (readonly [Address, Account])[] }
  ) & {
    /** Lines at the end of its logs. */
    readonly logs?: readonly string[];
  };

/**
 * What a ledger asks of transactions besides what Solana does. A transaction that breaks a rule lands as a
 * failed one. Asked for simulations as well, so neither question may change anything that shows.
 */
export interface LedgerRules {
  /** Asked right before a transaction runs on the engine: why it may not, or null. */
  admit(transaction: Transaction, keys: AccountKeys): TransactionError | null;
  /**
   * Asked after every run, failed or not: accounts that what it called for would have made, and that it did
   * not find. It is run again with them, as often as there are more. None of them stays that the last run did
   * not write.
   */
  supply?(
    transaction: Transaction,
    keys: AccountKeys,
    outcome: Outcome,
  ): readonly (readonly [Address, Account])[];
  /** Asked after a run that succeeded. */
  judge(transaction: Transaction, keys: AccountKeys, outcome: Outcome): Verdict;
}
