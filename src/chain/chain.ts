import type { Layout } from '../programs/ephemeral-token/layout.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
export type { Layout } from '../programs/ephemeral-token/layout.ts';

/** A recent blockhash to build a transaction on. */
export interface LatestBlockhash {
  /** The blockhash, base58. */
  readonly blockhash: string;
  /** The last block height at which a transaction with this blockhash is accepted. */
  readonly lastValidBlockHeight: number;
}

/** The result of simulating a transaction without sending it. */
export interface SimulationResult {
  /** Solana's TransactionError as JSON; null if the transaction would succeed. */
  readonly err: unknown;
  readonly logs: readonly string[];
  readonly computeUnits: number | null;
  /** The watched accounts after the run, in the requested order; null if the run failed. */
  readonly accounts: readonly (Account | null)[] | null;
}

/** The commitment a transaction has reached, and its outcome. */
export interface SignatureStatus {
  readonly slot: number;
  /** Solana's TransactionError as JSON; null if the transaction succeeded. */
  readonly err: unknown;
}

/**
 * A ledger as used by the payment operations: a base chain, or a rollup on top of one.
 *
 * Reads fail with ServiceError (UPSTREAM_*); an absent account is null. `token` is the caller's bearer token
 * for a rollup that answers private reads. It is passed on and never stored.
 */
export interface LedgerClient {
  /**
   * Reads accounts in the order of their addresses, all at one slot. Over a network, one call reads at most
   * 100 accounts; the others are read at that slot or a later one.
   */
  getAccounts(addresses: readonly Address[], token?: string): Promise<readonly (Account | null)[]>;
  latestBlockhash(token?: string): Promise<LatestBlockhash>;
  /** Starts fetching a blockhash that will soon be requested without a token. Absent on local ledgers. */
  expectBlockhash?(): void;
  blockHeight(token?: string): Promise<number>;
  /**
   * Whether this ledger still accepts transactions with the blockhash (base58 of 32 bytes). A rollup does not
   * accept the blockhashes of its base chain. The check uses the newest block, confirmed or not, because a
   * new blockhash must count as valid.
   */
  isBlockhashValid(blockhash: string, token?: string): Promise<boolean>;
  /**
   * Returns the last block height that accepts a transaction with this blockhash; null if there is none.
   * Absent if only the RecentBlockhashes sysvar shows it.
   */
  lastHeightOf?(blockhash: string): Promise<number | null>;
  /** Simulates a transaction, signed or not, on the newest state. `watch` lists the accounts to return. */
  simulateTransaction(wire: Uint8Array, watch: readonly Address[], token?: string): Promise<SimulationResult>;
  /**
   * Submits a signed transaction and returns its signature. Does not retry, because after a failure the
   * ledger may have accepted the transaction.
   *
   * @throws {ServiceError} TRANSACTION_FAILED if preflight rejected it. `context.reason` is then the
   *   TransactionError as JSON text, or its bare name if it has no fields.
   */
  sendTransaction(wire: Uint8Array, token?: string, options?: SendOptions): Promise<string>;
  /** The newest confirmed slot of recent answers; undefined if there is none. Absent on local ledgers. */
  readonly newestSlot?: number | undefined;
  /**
   * Ensures that later answers are from this slot or a later one. Absent on local ledgers, which never go
   * back.
   *
   * @throws {ServiceError} UPSTREAM_UNAVAILABLE with `context.slotsBehind` if the ledger does not reach the
   *   slot soon; the errors of a read.
   */
  reachSlot?(slot: number, token?: string): Promise<void>;
  /** Returns the status of a transaction; null if it is unknown. Nodes keep statuses for about 300 blocks. */
  signatureStatus(
    signature: string,
    token?: string,
    options?: StatusOptions,
  ): Promise<SignatureStatus | null>;
}

/** Options for {@link LedgerClient.signatureStatus}. */
export interface StatusOptions {
  /** Whether the node also searches its history, which is slower; default false. Fails without a history. */
  readonly searchHistory?: boolean;
}

/** Options for {@link LedgerClient.sendTransaction}. */
export interface SendOptions {
  /** Whether the node forwards the transaction without simulating it; default false. */
  readonly skipPreflight?: boolean | undefined;
  /** Maximum number of resends to the leaders; by default the node resends until the blockhash expires. */
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
  /** Size of the accounts' data, in bytes. */
  readonly byteCount: number;
  /** An address that the accounts' data contains at `offset`; any data by default. */
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
  /** Expiry as reported by the rollup; null if it reports none. */
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
 * proof or the token, UPSTREAM_* for all other failures.
 */
export interface RollupAuth {
  /** Returns the text the wallet must sign. */
  challenge(owner: Address): Promise<string>;
  login(proof: LoginProof): Promise<AuthToken>;
  /** Returns the wallets that may read an account; null for a public account. */
  authorizedUsers(account: Address, token: string): Promise<readonly Address[] | null>;
}

/** The task of a transfer queue; `failing` if its last run failed and it will be retried. */
export type QueueTask = 'running' | 'failing' | 'none';

/** The rollup that serves a cluster. */
export interface Rollup extends LedgerClient {
  /** Returns the validator that runs the rollup. Fails if it cannot be determined. */
  identity(): Promise<Address>;
  /** The URL callers submit rollup transactions to; null if the operator's URL must not be shown. */
  readonly publicUrl: string | null;
  /** The login service; null if the rollup is known to have none. */
  readonly auth: RollupAuth | null;
  /**
   * Whether only the parties can read transaction statuses. If so, a status that is missing without a token
   * does not prove that the transaction has not landed. Absent if anyone who knows the signature may read it.
   */
  readonly hidesStatuses?: boolean;
  /**
   * Whether token accounts keep their owner and mint, so a hidden account's address reveals its owner. Absent
   * if the rules of SPL Token apply, which let owners transfer accounts.
   */
  readonly keepsHolders?: boolean;
  /**
   * Whether the rollup has accepted an undelegation of this eATA that base may not show yet. Its tokens can
   * then be neither spent nor withdrawn. Absent if the rollup does not report it.
   */
  isSettling?(eata: Address): Promise<boolean>;
  /**
   * Returns the network fee of a serialized message with all its signatures, in lamports; null if the node
   * does not know its blockhash. Absent if the rollup charges no fees.
   */
  feeOf?(message: Uint8Array): Promise<bigint | null>;
  /** Returns the state of the task that pays out a transfer queue. Absent if a rollup has no such report. */
  queueTask?(queue: Address): Promise<QueueTask>;
}

/** The Solana networks of base ledgers. They determine the default mint and the lookup table. */
export type Network = 'localnet' | 'mainnet' | 'devnet' | 'custom';

/** A cluster: a base chain and its rollup. */
export interface Chain extends LedgerClient {
  /** The name of the cluster, as callers write it. */
  readonly cluster: string;
  readonly network: Network;
  readonly layout: Layout;
  /** The rollup; null if none is configured. */
  readonly rollup: Rollup | null;
  /** The mint for deposits that do not specify one. */
  readonly defaultMint: Address;
  /** The lookup table for private base-to-base transfers; null if there is none. */
  readonly transferLookupTable: Address | null;
  /** Returns the validator whose rollup serves this cluster. Fails if it is unknown. */
  validatorIdentity(): Promise<Address>;
  /**
   * Reads an account from one of several URLs. The URL at `notBy` is tried last. Fails like other reads.
   * Absent if there is only one URL.
   */
  accountBy?(address: Address, notBy?: number): Promise<SourcedAccount>;
  /**
   * Searches accounts of base. The results are unordered. On a network, the node scans every account of the
   * program. Many public nodes refuse this, and none can prove that the result is complete. Fails like other
   * reads. Absent if the ledger cannot be searched.
   */
  searchAccounts?(search: AccountSearch): Promise<readonly FoundAccount[]>;
}
