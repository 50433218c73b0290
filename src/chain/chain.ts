import type { Account } from '../solana/account.ts';
import type { Layout } from '../programs/ephemeral-token/layout.ts';
import type { Address } from '../solana/address.ts';

export type { Layout } from '../programs/ephemeral-token/layout.ts';

/** A blockhash to build on. */
export interface LatestBlockhash {
  /** base58. */
  readonly blockhash: string;
  /** The last block height at which a transaction with it is accepted. */
  readonly lastValidBlockHeight: number;
}

/** The result of simulating a transaction without sending it. */
export interface SimulationResult {
  /** Solana's TransactionError as JSON; null when it would succeed. */
  readonly err: unknown;
  readonly logs: readonly string[];
  readonly computeUnits: number | null;
  /**
   * The asked accounts as they would be afterwards, in order; null in place of all of them when the run
   * failed.
   */
  readonly accounts: readonly (Account | null)[] | null;
}

/** How far a transaction has come. */
export interface SignatureStatus {
  readonly slot: number;
  /** Solana's TransactionError as JSON; null when it succeeded. */
  readonly err: unknown;
}

/**
 * One ledger as the payment operations see it: a base chain, or a rollup on top of one. Reads fail with
 * ServiceError (UPSTREAM_*); an absent account is null. `token` is the caller's own bearer token for a rollup
 * that answers private reads; it is passed on and never kept.
 */
export interface LedgerClient {
  /**
   * The accounts at these addresses, in the same order, all as of one moment. Over a network that holds for
   * 100 of them; those beyond are read at that moment or after it.
   */
  getAccounts(addresses: readonly Address[], token?: string): Promise<readonly (Account | null)[]>;
  latestBlockhash(token?: string): Promise<LatestBlockhash>;
  blockHeight(token?: string): Promise<number>;
  /**
   * Whether the ledger itself knows this blockhash, base58 of 32 bytes, and still takes transactions with it.
   * False for one that is too old, and for one of another ledger: a rollup and its base chain do not share
   * theirs. As of the newest block, confirmed or not: what was given out a moment ago is known.
   */
  isBlockhashValid(blockhash: string, token?: string): Promise<boolean>;
  /** Simulates a transaction, signed or not, on the newest state; `watch` names the accounts to report on. */
  simulateTransaction(wire: Uint8Array, watch: readonly Address[], token?: string): Promise<SimulationResult>;
  /**
   * Hands in a signed transaction; answers its signature. Never repeated by itself: a failure to answer
   * leaves open whether it was taken.
   *
   * @throws {ServiceError} TRANSACTION_FAILED when the preflight refused it; `context.reason` is then the
   *   TransactionError as JSON text, or as a bare name where it is one.
   */
  sendTransaction(wire: Uint8Array, token?: string): Promise<string>;
  /** Null when the ledger has not seen the signature lately: nodes remember statuses for about 300 blocks. */
  signatureStatus(signature: string, token?: string): Promise<SignatureStatus | null>;
}

/** An account, and who told of it. */
export interface Testimony {
  readonly account: Account | null;
  /** The position among a ledger's URLs of the one that answered, 0 for the first. */
  readonly by: number;
}

/** What accounts of a program are looked for by: their size and an address in their data. */
export interface AccountSearch {
  readonly program: Address;
  /** Bytes of data they have. */
  readonly byteCount: number;
  /** An address their data have at `offset`; any will do when it is left out. */
  readonly having?: { readonly offset: number; readonly address: Address };
}

/** An account and where it is. */
export interface FoundAccount {
  readonly address: Address;
  readonly account: Account;
}

/** A token that lets its holder read what only they may see on a rollup. */
export interface AuthToken {
  readonly token: string;
  /** As the rollup gave it; null when it gave none. */
  readonly expiresAt: number | string | null;
}

/** What a wallet hands in to prove that it is who it says. */
export interface LoginProof {
  readonly owner: Address;
  /** The text that was signed, as {@link RollupAuth.challenge} gave it. */
  readonly challenge: string;
  /** base58 of the wallet's ed25519 signature over the challenge's UTF-8 bytes. */
  readonly signature: string;
}

/**
 * The login service of a rollup. Nothing that passes through is kept. Fails with ServiceError:
 * AUTH_UNAVAILABLE where the rollup has no such service, AUTH_REFUSED when it does not accept what was handed
 * in, UPSTREAM_*.
 */
export interface RollupAuth {
  /** A text for the wallet to sign. */
  challenge(owner: Address): Promise<string>;
  login(proof: LoginProof): Promise<AuthToken>;
  /** Who may read an account; null when the rollup names nobody, which is how it answers for a public one. */
  authorizedUsers(account: Address, token: string): Promise<readonly Address[] | null>;
}

/** The rollup that serves a cluster. */
export interface Rollup extends LedgerClient {
  /** The validator that runs it. Never a guess: if it cannot be determined, the call fails. */
  identity(): Promise<Address>;
  /** Where callers send what is built for the rollup; null when the operator's URL must not be shown. */
  readonly publicUrl: string | null;
  /** Its login service; null where it is known to have none. */
  readonly auth: RollupAuth | null;
  /**
   * Whether it tells how a transaction ended to its parties alone: that it shows nothing without a token is
   * then no sign that the transaction has not landed. Left out where whoever knows the signature is told.
   */
  readonly hidesStatuses?: boolean;
  /**
   * Whether a token account on it never changes its holder or mint, so that whose one is that it hides is
   * known from its address. Left out where SPL Token alone decides, which lets holders hand their accounts
   * over.
   */
  readonly keepsHolders?: boolean;
  /**
   * Whether it has taken an undelegation of this eATA that the base ledger may not show yet: the tokens are
   * on their way then and can neither be paid on nor be withdrawn. Left out by a rollup that does not tell.
   */
  isSettling?(eata: Address): Promise<boolean>;
}

/** The base ledgers there are; it decides default mints and which lookup table exists. */
export type Network = 'localnet' | 'mainnet' | 'devnet' | 'custom';

/** A cluster: a base chain and the rollup that goes with it. */
export interface Chain extends LedgerClient {
  /** The cluster's name, as callers write it. */
  readonly cluster: string;
  readonly network: Network;
  readonly layout: Layout;
  /** Null where none is configured. */
  readonly rollup: Rollup | null;
  /** The mint a deposit means that names none. */
  readonly defaultMint: Address;
  /** Lookup table for private transfers from base to base; null where there is none. */
  readonly transferLookupTable: Address | null;
  /** The validator whose rollup serves this cluster. Never a guess: if it cannot be determined, the call fails. */
  validatorIdentity(): Promise<Address>;
  /**
   * An account as one of several URLs tells of it: another one than the URL at `notBy`, unless no other
   * answers. Fails as reads do. Left out where there is only one place to ask.
   */
  accountBy?(address: Address, notBy?: number): Promise<Testimony>;
  /**
   * The accounts of base that are looked for, in no order. A network's node looks through every account of the
   * program: many public ones refuse to, and none can prove that it left nothing out. Fails as reads do. Left
   * out where the ledger cannot be searched.
   */
  searchAccounts?(search: AccountSearch): Promise<readonly FoundAccount[]>;
}
