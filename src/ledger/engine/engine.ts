import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { InnerInstructions } from '../execution.ts';
import type { TransactionError } from '../transaction-error.ts';

/**
 * A writable account of a transaction, as its run left it. Its fields are copied out of the engine on first
 * use.
 */
export interface ExecutedAccount extends Account {
  /** The 32 bytes of its address. */
  readonly key: Uint8Array;
  /** Tells the owner to the account, if the caller knows it without a read. */
  presumeOwner(owner: Address): void;
}

/** The result of running a transaction. */
export interface EngineRun {
  readonly err: TransactionError | null;
  /**
   * Every writable account in the order of the transaction's keys, with 0 lamports for absent ones. Empty if
   * the run failed.
   */
  readonly accounts: readonly ExecutedAccount[];
  readonly logs: readonly string[];
  readonly computeUnits: number;
  /** Only instructions that made calls are listed. */
  readonly innerInstructions: readonly InnerInstructions[];
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
}

/**
 * A Solana virtual machine with its own copy of the accounts. It only executes: time, blockhashes, the fees
 * of failed transactions and the use of results are up to the ledger. Every call is synchronous.
 *
 * Transactions are passed as `Transaction`, the result of `decodeTransaction`, only: the native engine aborts
 * the whole process on bytes that are not a transaction.
 */
export interface Engine {
  /** The accounts it is created with: native and default programs, sysvars, features. */
  builtinAccounts(): Iterable<readonly [Address, Account]>;
  /**
   * Sets an account; one with 0 lamports is removed. The ProgramData of a program must be set before the
   * program.
   */
  setAccount(address: Address, account: Account): void;
  /** Whether every required signature is valid for its key and the message (ed25519 `verify_strict`). */
  hasValidSignatures(transaction: Transaction): boolean;
  /**
   * Runs a transaction on the current accounts without changing them. Signatures are not checked.
   *
   * @param blockhash 32 bytes that replace the transaction's own: the engine derives durable nonces from it.
   * @param addresses all accounts the transaction names, including those loaded from lookup tables.
   */
  run(transaction: Transaction, blockhash: Uint8Array, addresses: readonly Address[]): EngineRun;
}
