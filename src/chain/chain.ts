import type { Layout } from '../programs/ephemeral-token/layout.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
export type { Layout } from '../programs/ephemeral-token/layout.ts';

/** A recent blockhash to build a transaction on. */
export interface LatestBlockhash {
  /** base58. */
  readonly blockhash: string;
  /** The last block height at which a transaction with this blockhash is accepted. */
  readonly lastValidBlockHeight: number;
}

/** The result of simulating a transaction without sending it. */
export interface SimulationResult {
  /** Solana's TransactionError as JSON; null when it would succeed. */
  readonly err: unknown;
  readonly logs: readonly string[];
  readonly computeUnits: number | null;
  /** The watched accounts after the run, in the requested order; null if the run failed. */
  readonly accounts: readonly (Account | null)[] | null;
}

/** The commitment a transaction has reached, and its outcome. */
export interface SignatureStatus {
  readonly slot: number;
  /** Solana's TransactionError as JSON; null when it succeeded. */
  readonly err: unknown;
}

/**
 * One ledger as the payment operations see it: a base chain, or a rollup on top of one.
 *
 * Reads fail with ServiceError (UPSTREAM_*); an absent account is null. `token` is the caller's bearer token
 * for a rollup that answers private reads. It is passed on and never stored.
 */
export interface LedgerClient {
  /**
   * The accounts at these addresses, in the same order, all read at one slot. Over a network one call holds
   * 100 accounts; the rest are read at that slot or a later one.
   */
  getAccounts(addresses: readonly Address[], token?: string): Promise<readonly (Account | null)[]>;
  latestBlockhash(token?: string): Promise<LatestBlockhash>;
  /** Starts fetching a blockhash that will soon be requested without a token. Absent on local ledgers. */
  expectBlockhash?(): void;
  blockHeight(token?: string): Promise<number>;
  /**
   * Whether this ledger knows the blockhash (base58 of 32 bytes) and still accepts transactions with it.
   * False for an expired blockhash and for one of another ledger: a rollup and its base chain do not share
   * theirs. Checked at the newest block, confirmed or not, so that a new blockhash is known.
   */
  isBlockhashValid(blockhash: string, token?: string): Promise<boolean>;
  /** Simulates a transaction, signed or not, on the newest state. `watch` lists the accounts to return. */
  simulateTransaction(wire: Uint8Array, watch: readonly Address[], token?: string): Promise<SimulationResult>;
  /**
   * Submits a signed transaction and returns its signature. Never retried here: after a failure it is unknown
   * whether the ledger accepted the transaction.
   *
   * @throws {ServiceError} TRANSACTION_FAILED if preflight rejected it. `context.reason` is then the
   *   TransactionError as JSON text, or its bare name if it has no fields.
   */
  sendTransaction(wire: Uint8Array, token?: string, options?: SendOptions): Promise<string>;
  /** Null if the ledger has not seen the signature recently: nodes keep statuses for about 300 blocks. */
  signatureStatus(signature: string, token?: string): Promise<SignatureStatus | null>;
}

/** Options of {@link LedgerClient.sendTransaction}. */
export interface SendOptions {
  /** Whether the node forwards the transaction without simulating it; default false. */
  readonly skipPreflight?: boolean | undefined;
  /** How often the node repeats it to the leaders; by default until its blockhash has expired. */
  readonly maxRetries?: number | undefined;
}

/** An account, and the URL that reported it. */
export interface SourcedAccount {
  readonly account: Account | null;
  /** Index of the URL that answered, in the order of the ledger's URLs. */
  readonly by: number;
}

/** A search for accounts of a program by their size and an address in their data. */
export interface AccountSearch {
  readonly program: Address;
  /** Bytes of data of the accounts. */
  readonly byteCount: number;
  /** An address in their data at `offset`; default any. */
  readonly having?: { readonly offset: number; readonly address: Address };
}

/** An account and its address. */
export interface FoundAccount {
  readonly address: Address;
  readonly account: Account;
}

/** A token that lets its holder read private accounts on a rollup. */
export interface AuthToken {
  readonly token: string;
  /** As the rollup reported it; null if it reported none. */
  readonly expiresAt: number | string | null;
}

/** Proof that the caller controls a wallet: a challenge and the wallet's signature. */
export interface LoginProof {
  readonly owner: Address;
  /** The text that was signed, as returned by {@link RollupAuth.challenge}. */
  readonly challenge: string;
  /** base58 of the wallet's ed25519 signature over the challenge's UTF-8 bytes. */
  readonly signature: string;
}

/**
 * The login service of a rollup. Challenges, proofs and tokens are passed through and never stored.
 *
 * Fails with ServiceError: AUTH_UNAVAILABLE if the rollup has no such service, AUTH_REFUSED if it rejects the
 * proof or the token, UPSTREAM_* otherwise.
 */
export interface RollupAuth {
  /** The text the wallet has to sign. */
  challenge(owner: Address): Promise<string>;
  login(proof: LoginProof): Promise<AuthToken>;
  /** Who may read an account; null if the rollup lists no one, its answer for a public account. */
  authorizedUsers(account: Address, token: string): Promise<readonly Address[] | null>;
}

/** The task of a transfer queue; `failing` if its last run failed and it is tried again. */
export type QueueTask = 'running' | 'failing' | 'none';

/** The rollup that serves a cluster. */
export interface Rollup extends LedgerClient {
  /** The validator that runs the rollup. Never guessed: if it cannot be determined, the call fails. */
  identity(): Promise<Address>;
  /** The URL callers submit rollup transactions to; null if the operator's URL must not be shown. */
  readonly publicUrl: string | null;
  /** The login service; null if the rollup is known to have none. */
  readonly auth: RollupAuth | null;
  /**
   * Whether transaction statuses are shown to the parties only. A missing status without a token then does
   * not mean that the transaction has not landed. Absent if anyone who knows the signature may read it.
   */
  readonly hidesStatuses?: boolean;
  /**
   * Whether a token account never changes its owner or mint here, so that the owner of a hidden account
   * follows from its address. Absent if SPL Token's own rules apply, which let owners hand accounts over.
   */
  readonly keepsHolders?: boolean;
  /**
   * Whether the rollup has accepted an undelegation of this eATA that base may not show yet. Its tokens can
   * then be neither spent nor withdrawn. Absent if the rollup does not report it.
   */
  isSettling?(eata: Address): Promise<boolean>;
  /** Whether the rollup runs the task that pays out a transfer queue. Absent if it does not report it. */
  queueTask?(queue: Address): Promise<QueueTask>;
}

/** The base ledgers. The network decides the default mint and the lookup table. */
export type Network = 'localnet' | 'mainnet' | 'devnet' | 'custom';

/** A cluster: a base chain and its rollup. */
export interface Chain extends LedgerClient {
  /** The name of the cluster, as callers write it. */
  readonly cluster: string;
  readonly network: Network;
  readonly layout: Layout;
  /** Null if no rollup is configured. */
  readonly rollup: Rollup | null;
  /** The mint of a deposit that does not name one. */
  readonly defaultMint: Address;
  /** The lookup table for private base-to-base transfers; null if there is none. */
  readonly transferLookupTable: Address | null;
  /** The validator whose rollup serves this cluster. Never guessed: if it is unknown, the call fails. */
  validatorIdentity(): Promise<Address>;
  /**
   * Reads an account from one of several URLs, preferring any other than the one at `notBy`. Fails as reads
   * do. Absent if there is only one URL.
   */
  accountBy?(address: Address, notBy?: number): Promise<SourcedAccount>;
  /**
   * Searches accounts of base, in no order. A node of a network scans every account of the program: many
   * public nodes refuse this, and none can prove that the result is complete. Fails as reads do. Absent if
   * the ledger cannot be searched.
   */
  searchAccounts?(search: AccountSearch): Promise<readonly FoundAccount[]>;
}
