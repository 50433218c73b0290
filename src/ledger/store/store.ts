import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TransactionRecord } from '../ledger.ts';
import { BLOCKHASH_AGE_MAX } from '../time/blockhashes.ts';

/** The identity of a ledger, which never changes. The seeds are secret and never logged. */
export interface LedgerIdentity {
  /** The base58 text of 32 random bytes. */
  readonly genesisHash: string;
  /** The 32 bytes from which all blockhashes are derived. */
  readonly blockhashSeed: Uint8Array;
  /** The 32-byte ed25519 seed of the faucet's key. */
  readonly faucetSeed: Uint8Array;
  /** The 32-byte ed25519 seed of the node identity. */
  readonly identitySeed: Uint8Array;
}

/** A reference point in time. Until the next one, slot `n` starts at `unixMs + (n - slot) * slotMs`. */
export interface TimeAnchor {
  readonly slot: number;
  /** Time of the anchor, ms since the Unix epoch. */
  readonly unixMs: number;
  /** Duration of a slot, in ms. */
  readonly slotMs: number;
  /** The last slot before this anchor that has a block. The slots in between were skipped. */
  readonly afterSlot: number;
  /** Difference between the ledger's time and the machine's after time travel, in ms; absent for 0. */
  readonly aheadMs?: number;
}

/** A page of an address's history, between two exclusive record positions. */
export interface HistoryPage {
  readonly address: Address;
  /** Limits the page to records before this position. */
  readonly before?: RecordPosition;
  /** Limits the page to records after this position. */
  readonly until?: RecordPosition;
  readonly limit: number;
}

/** The position of a record in landing order. */
export type RecordPosition = Pick<TransactionRecord, 'slot' | 'index'>;

/** Compares positions. Returns a negative number if `a` landed before `b`, and 0 for the same record. */
export function comparePositions(a: RecordPosition, b: RecordPosition): number {
  return a.slot - b.slot || a.index - b.index;
}

/** A landed message, to recognize a transaction that is sent twice. */
export interface LandedMessage {
  /** The height of the block whose hash the message carries. */
  readonly blockhashHeight: number;
  /** The message's sha256, 32 bytes. */
  readonly digest: Uint8Array;
  /** The lowest height whose blockhash was still valid when the message landed. */
  readonly expiredBelow: number;
}

/** The key of a landed message. */
export type MessageName = Pick<LandedMessage, 'blockhashHeight' | 'digest'>;

/** One atomic write. */
export interface Commit {
  /** Changed accounts; those with 0 lamports are removed. */
  readonly accounts?: readonly (readonly [Address, Account])[];
  readonly record?: TransactionRecord;
  /** Every address the record names, including those loaded from lookup tables; required with a record. */
  readonly recordAddresses?: readonly Address[];
  /** The message of the record, if its blockhash is recent. */
  readonly message?: LandedMessage;
  /** A new time anchor. */
  readonly timeAnchor?: TimeAnchor;
  /** The highest slot that may be shown to clients. A restart resumes above it. */
  readonly slotCeiling: number;
  /** The identity of a new ledger, in its first commit. It deletes everything before this commit. */
  readonly identity?: LedgerIdentity;
}

/** The storage of a ledger. Reads are synchronous and see only whole, acknowledged commits. */
export interface LedgerStore {
  /** The identity of the stored ledger; null if there is none yet. */
  readonly identity: LedgerIdentity | null;
  /** The slot ceiling of the last commit. */
  readonly slotCeiling: number;

  /** Yields every account. Iterate before the next commit. */
  accounts(): Iterable<readonly [Address, Account]>;
  /** Finds a landed transaction by its first signature, base58. */
  record(signature: string): TransactionRecord | null;
  /** Returns landed transactions from `slot` on, in landing order. Iterate before the next commit. */
  recordsFrom(slot: number): Iterable<TransactionRecord>;
  /** Whether a message with an unexpired blockhash has landed. */
  hasMessage(message: MessageName): boolean;
  /** Returns the landed transactions of one slot, in order. */
  recordsOf(slot: number): readonly TransactionRecord[];
  /**
   * Returns landed transactions that name an address, newest first, as of the call. The result can be
   * iterated once. Each record is decoded when it is consumed, which is most of the cost.
   */
  recordsNaming(page: HistoryPage): Iterable<TransactionRecord>;
  /** Number of transactions that ever landed, including removed transactions. */
  readonly recordCount: number;
  /** The oldest slot whose transactions are all stored; 0 while none were removed. */
  readonly firstSlot: number;
  /** All time anchors, in ascending order of slots. */
  readonly timeAnchors: readonly TimeAnchor[];
  /** The store's size on disk, in bytes; 0 in memory. */
  readonly bytes: number;
  /** Becomes false permanently at the first failed write. */
  readonly isWritable: boolean;

  /** Stores a commit. Resolves once it survives a crash of the process and of the machine. */
  commit(commit: Commit): Promise<void>;
  /** Waits for pending commits, then closes. */
  close(): Promise<void>;
}

/** Default number of stored transactions. The oldest slots are removed first, each completely. */
export const TRANSACTIONS_MAX = 1_000_000;

/**
 * Returns the first slot whose transactions are stored regardless of the limit, because its blockhash is
 * still valid at slot `newest`. Slots skipped by a jump have no block and do not count.
 */
export function firstSlotOfWindow(newest: number, timeAnchors: readonly TimeAnchor[]): number {
  let slot = newest;
  let blocks = BLOCKHASH_AGE_MAX;
  for (const { slot: anchored, afterSlot } of timeAnchors.toReversed()) {
    if (anchored > slot) continue;
    if (slot - anchored >= blocks) break;
    blocks -= slot - anchored + 1;
    slot = afterSlot;
  }
  return slot - blocks;
}
