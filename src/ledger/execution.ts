import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { TransactionError } from './transaction-errors.ts';

/** A call a program made. Indices refer to all account keys of the transaction. */
export interface InnerInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
  /** 2 for a call made by a top-level instruction. */
  readonly stackHeight: number;
}

/** The calls made while one top-level instruction ran. */
export interface InnerInstructions {
  /** Index of the top-level instruction. */
  readonly index: number;
  readonly instructions: readonly InnerInstruction[];
}

/** The balance of a token account of the transaction. */
export interface TokenBalance {
  /** Index into all account keys. */
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly programId: Address;
  /** Base units. */
  readonly amount: bigint;
  readonly decimals: number;
}

/** Addresses a v0 message loaded from lookup tables. */
export interface LoadedAddresses {
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
}

/**
 * The result of running a transaction, except for the accounts. Balances are in the order of all keys.
 */
export interface Execution {
  readonly err: TransactionError | null;
  /** Lamports charged; null if the transaction was rejected before it was charged. */
  readonly fee: bigint | null;
  /** Null if the accounts were not loaded (bad signature). */
  readonly preBalances: readonly bigint[] | null;
  readonly postBalances: readonly bigint[] | null;
  readonly preTokenBalances: readonly TokenBalance[] | null;
  readonly postTokenBalances: readonly TokenBalance[] | null;
  /** Only instructions that made calls. */
  readonly innerInstructions: readonly InnerInstructions[];
  readonly logs: readonly string[];
  readonly loadedAddresses: LoadedAddresses;
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
  readonly computeUnits: number;
  /** Bytes of loaded accounts: the data of each and 64, as Agave counts. */
  readonly loadedAccountsDataSize: number;
}

/** A run whose effects were discarded. */
export interface Simulation extends Execution {
  /** The slot the simulation ran in. */
  readonly slot: number;
  /** The blockhash that replaced the transaction's own, if requested. */
  readonly replacementBlockhash: { readonly blockhash: string; readonly lastValidBlockHeight: number } | null;
  /** The account after the run; null if it would not exist. */
  accountAfter(address: Address): Account | null;
}

/** A transaction that landed, failed or not. */
export interface TransactionRecord extends Execution {
  readonly fee: bigint;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  /** base58 of the first signature. */
  readonly signature: string;
  readonly slot: number;
  /** Position in its block. */
  readonly index: number;
  /** Unix seconds. */
  readonly blockTime: number;
  /** The transaction's wire bytes. */
  readonly wire: Uint8Array;
}
