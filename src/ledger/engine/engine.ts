import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { InnerInstructions } from '../execution.ts';
import type { TransactionError } from '../transaction-error.ts';

/**
 * An account a transaction could write, as its run left it. What is not asked for is not copied out of the
 * engine.
 */
export interface ExecutedAccount extends Account {
  /** The 32 bytes of its address. */
  readonly key: Uint8Array;
  /** Says what the owner is, for those who know without looking. */
  presumeOwner(owner: Address): void;
}

/** What running a transaction gave. */
export interface EngineRun {
  readonly err: TransactionError | null;
  /**
   * Every writable account in the order of the transaction's keys, those that do not exist with 0 lamports;
   * none when the run failed.
   */
  readonly accounts: readonly ExecutedAccount[];
  readonly logs: readonly string[];
  readonly computeUnits: number;
  /** Only instructions that made calls. */
  readonly innerInstructions: readonly InnerInstructions[];
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
}

/**
 * A Solana virtual machine with its own copy of the accounts. It executes and nothing else: time,
 * blockhashes, fees of failed transactions and what becomes of a result are the ledger's business. Every call
 * is synchronous.
 *
 * Transactions reach it only as `Transaction`, the form `decodeTransaction` gives them: the native engine
 * ends the whole process over bytes that are not a transaction.
 */
export interface Engine {
  /** The accounts it is made with: native and default programs, sysvars, features. */
  builtinAccounts(): Iterable<readonly [Address, Account]>;
  /**
   * Puts an account in place; one with 0 lamports is removed. The ProgramData of a program has to come before
   * it.
   */
  setAccount(address: Address, account: Account): void;
  /** Whether every required signature is that of its key over the message (ed25519 `verify_strict`). */
  hasValidSignatures(transaction: Transaction): boolean;
  /**
   * Runs a transaction on the accounts as they are and changes none of them. Signatures are not checked.
   * `blockhash` (32 bytes) takes the place of the transaction's own: the engine derives durable nonces from
   * the one it sees. `addresses` are all it names, loaded ones included.
   */
  run(transaction: Transaction, blockhash: Uint8Array, addresses: readonly Address[]): EngineRun;
}
