import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';

/** Which form of the ephemeral SPL token program a chain runs: A is that of January 2026, B what is deployed since. */
export type Layout = 'a' | 'b';

/** A blockhash to build on. */
export interface LatestBlockhash {
  /** base58. */
  readonly blockhash: string;
  /** The last block height at which a transaction with it is accepted. */
  readonly lastValidBlockHeight: number;
}

/** A base chain as the payment operations see it. Reads fail with ServiceError; an absent account is null. */
export interface Chain {
  /** The cluster's name, as callers write it. */
  readonly cluster: string;
  readonly layout: Layout;
  /** The accounts at these addresses, in the same order, all as of one moment. */
  getAccounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]>;
  latestBlockhash(): Promise<LatestBlockhash>;
  /** The validator whose rollup serves this cluster. Never a guess: fails when it cannot be told. */
  validatorIdentity(): Promise<Address>;
}
