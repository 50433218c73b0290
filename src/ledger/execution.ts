import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { TransactionError } from './transaction-error.ts';

/** A call a program made, indices pointing into all account keys of the transaction. */
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

/** What a token account of the transaction held. */
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
 * Everything one run of a transaction left behind besides the accounts. Balances are in the order of all
 * keys.
 */
export interface Execution {
  readonly err: TransactionError | null;
  /** Lamports charged; null when the transaction never got as far as being charged. */
  readonly fee: bigint | null;
  /** Null when the accounts were not loaded (bad signature). */
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
  /** Bytes of accounts loaded: Agave counts 64 besides the data of each. */
  readonly loadedAccountsDataSize: number;
}

/** A run whose effects were thrown away. */
export interface Simulation extends Execution {
  /** Slot the simulation ran at. */
  readonly slot: number;
  /** The blockhash put in place of the transaction's own, when that was asked for. */
  readonly replacementBlockhash: { readonly blockhash: string; readonly lastValidBlockHeight: number } | null;
  /** The account as it would be afterwards; null when it would not exist. */
  accountAfter(address: Address): Account | null;
}

/** A transaction that landed, failed or not. Kept for ever (until the ledger's own limit). */
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
