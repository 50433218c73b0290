import { BPF_LOADER_2, BPF_LOADER_UPGRADEABLE, NATIVE_LOADER } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { InnerInstructions } from '../ledger.ts';
import type { TransactionError } from '../transaction-errors.ts';

/** A writable account after a run. Fields are copied out of the engine on first use. */
export interface ExecutedAccount extends Account {
  /** The 32 bytes of the account's address. */
  readonly key: Uint8Array;
}

/** The result of running a transaction. */
export interface EngineRun {
  readonly err: TransactionError | null;
  /** Every writable account in key order, with 0 lamports for absent ones; none if the run failed. */
  readonly accounts: readonly ExecutedAccount[];
  readonly logs: readonly string[];
  readonly computeUnits: number;
  /** Lists only instructions that made calls. */
  readonly innerInstructions: readonly InnerInstructions[];
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
}

/**
 * A Solana virtual machine with its own copy of the accounts. It only executes transactions: the ledger
 * handles time, blockhashes, the fees of failed transactions and the results. Every call is synchronous.
 *
 * Pass only transactions from `decodeTransaction`, because the native engine aborts the whole process on
 * bytes that are not a transaction.
 */
export interface Engine {
  /** Returns the accounts that the engine starts with: native and default programs, sysvars, features. */
  builtinAccounts(): Iterable<readonly [Address, Account]>;
  /** Sets an account, or removes it if it has 0 lamports. ProgramData must be set before its program. */
  setAccount(address: Address, account: Account): void;
  /** Whether every required signature is valid for its key and the message (ed25519 `verify_strict`). */
  hasValidSignatures(transaction: Transaction): boolean;
  /**
   * Runs a transaction on the current accounts without changing them. Signatures are not checked.
   *
   * @param blockhash 32 bytes that replace the transaction's own. The engine derives durable nonces from it.
   * @param addresses all accounts of the transaction, including those loaded from lookup tables.
   */
  run(transaction: Transaction, blockhash: Uint8Array, addresses: readonly Address[]): EngineRun;
}

/** Transaction limits of the engine that differ from Solana's. */
export interface EngineLimits {
  /** Compute units per transaction, regardless of its request (Agave `RuntimeConfig::compute_budget`). */
  readonly computeUnits?: number | undefined;
  /** Maximum bytes of logs. Longer logs end with `Log truncated`. Default unlimited. */
  readonly logBytes?: number | undefined;
  /** Maximum accounts per transaction (Agave `RuntimeConfig::transaction_account_lock_limit`). */
  readonly accountLocks?: number | undefined;
}

/** Owners of programs that the engine can run. */
export const LOADERS: ReadonlySet<Address> = new Set([
  NATIVE_LOADER,
  'BPFLoader1111111111111111111111111111111111' as Address,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
]);

/** Loader v4. The engine accepts its programs, but aborts the process when a program of v4 is called. */
export const LOADER_V4 = 'LoaderV411111111111111111111111111111111111' as Address;
