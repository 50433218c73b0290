import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TransactionRecord } from '../execution.ts';

/** What makes a ledger this one. Drawn when it is made and never changed. The seeds are secret: they are never logged. */
export interface LedgerIdentity {
  /** base58 of 32 random bytes. */
  readonly genesisHash: string;
  /** 32 bytes that all blockhashes come from. */
  readonly blockhashSeed: Uint8Array;
  /** 32-byte ed25519 seed of the key the faucet pays and mints with. */
  readonly faucetSeed: Uint8Array;
  /** 32-byte ed25519 seed of the key the node goes by. */
  readonly identitySeed: Uint8Array;
}

/**
 * A point from which slots are counted: slot `n` from here to the next anchor began at `unixMs + (n - slot) * slotMs`.
 */
export interface TimeAnchor {
  readonly slot: number;
  /** ms since the Unix epoch. */
  readonly unixMs: number;
  /** ms. */
  readonly slotMs: number;
  /** The last slot before this anchor that has a block; those between it and `slot` were jumped over. */
  readonly afterSlot: number;
  /** How far the ledger's time was ahead of the machine's because of time travel, ms; 0 when left out. */
  readonly aheadMs?: number;
}

/** A page of an address's history; positions are those of records, and are not part of the page. */
export interface HistoryPage {
  readonly address: Address;
  /** Only what landed before this position. */
  readonly before?: RecordPosition;
  /** Only what landed after this position. */
  readonly until?: RecordPosition;
  readonly limit: number;
}

/** Where a record stands in the order of landing. */
export type RecordPosition = Pick<TransactionRecord, 'slot' | 'index'>;

/** Bytes a store takes up on the disk. */
export interface StoreSize {
  readonly journalBytes: number;
  readonly databaseBytes: number;
}

/** What is written at once: all of it or nothing. */
export interface Commit {
  /** Accounts that changed; those with 0 lamports are forgotten. */
  readonly accounts?: readonly (readonly [Address, Account])[];
  readonly record?: TransactionRecord;
  /** Every address the record names, loaded ones included; given with it. */
  readonly recordAddresses?: readonly Address[];
  /** Slots are counted from here on. */
  readonly timeAnchor?: TimeAnchor;
  /** No slot above this one has been told to anybody. */
  readonly slotCeiling: number;
  /** Given in the first commit of a ledger; given again, everything kept before this commit is forgotten. */
  readonly identity?: LedgerIdentity;
}

/** Where a ledger is kept. Reads are synchronous and see what has been committed. */
export interface LedgerStore {
  /** The ledger that is kept here; null when there is none yet. */
  readonly identity: LedgerIdentity | null;
  /** The slot ceiling of the last commit. */
  readonly slotCeiling: number;

  accounts(): Iterable<readonly [Address, Account]>;
  /** A landed transaction by the base58 text of its first signature. */
  record(signature: string): TransactionRecord | null;
  /** Landed transactions from `slot` on, in the order they landed. */
  recordsFrom(slot: number): Iterable<TransactionRecord>;
  /** The landed transactions of one slot, in order. */
  recordsOf(slot: number): readonly TransactionRecord[];
  /** The up to `limit` transactions that landed last, the newest first. */
  newestRecords(limit: number): readonly TransactionRecord[];
  /**
   * Landed transactions that name an address, the newest first, as of the call. To be gone through once: each is decoded
   * when it is taken, which is most of what it costs.
   */
  recordsNaming(page: HistoryPage): Iterable<TransactionRecord>;
  /** How many transactions ever landed, forgotten ones included. */
  readonly recordCount: number;
  /** The oldest slot whose transactions are all kept; 0 while none were forgotten. */
  readonly firstSlot: number;
  /** In ascending order of slots. */
  readonly timeAnchors: readonly TimeAnchor[];
  size(): StoreSize;
  /** False for good once something could not be written. */
  readonly isWritable: boolean;

  /** Resolves when everything in `commit` will survive the end of the process and of the machine. */
  commit(commit: Commit): Promise<void>;
  /**
   * Gives back the memory that reading everything took. Nothing may be read meanwhile.
   *
   * @throws what opening the place throws.
   */
  releaseReads(): Promise<void>;
  /** Waits for commits under way and lets go. */
  close(): Promise<void>;
}
