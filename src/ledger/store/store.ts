import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TransactionRecord } from '../ledger.ts';
import { BLOCKHASH_AGE_MAX } from '../time/blockhashes.ts';

/** The identity of a ledger. Drawn once and never changed. The seeds are secret and never logged. */
export interface LedgerIdentity {
  /** base58 of 32 random bytes. */
  readonly genesisHash: string;
  /** 32 bytes from which all blockhashes are derived. */
  readonly blockhashSeed: Uint8Array;
  /** 32-byte ed25519 seed of the key the faucet pays and mints with. */
  readonly faucetSeed: Uint8Array;
  /** 32-byte ed25519 seed of the node identity. */
  readonly identitySeed: Uint8Array;
}

/** A point slots are counted from: until the next one, slot `n` began at `unixMs + (n - slot) * slotMs`. */
export interface TimeAnchor {
  readonly slot: number;
  /** ms since the Unix epoch. */
  readonly unixMs: number;
  /** ms. */
  readonly slotMs: number;
  /** The last slot before this anchor that has a block; the slots from there to `slot` were skipped. */
  readonly afterSlot: number;
  /** How far time travel has put the ledger's time ahead of the machine's, ms; absent for 0. */
  readonly aheadMs?: number;
}

/** A page of an address's history. Its bounds are record positions, and are exclusive. */
export interface HistoryPage {
  readonly address: Address;
  /** Only records before this position. */
  readonly before?: RecordPosition;
  /** Only records after this position. */
  readonly until?: RecordPosition;
  readonly limit: number;
}

/** The position of a record in landing order. */
export type RecordPosition = Pick<TransactionRecord, 'slot' | 'index'>;

/** Negative if `a` landed before `b`, 0 for the same record. */
export function comparePositions(a: RecordPosition, b: RecordPosition): number {
  return a.slot - b.slot || a.index - b.index;
}

/** A message that landed, by which a transaction that is sent twice is recognized. */
export interface LandedMessage {
  /** The height of the block whose hash it carries. */
  readonly blockhashHeight: number;
  /** Its sha256, 32 bytes. */
  readonly digest: Uint8Array;
  /** Blockhashes below this height had expired when it landed. */
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
  /** The message of the record, if its blockhash is a recent one. */
  readonly message?: LandedMessage;
  /** The anchor slots are counted from. */
  readonly timeAnchor?: TimeAnchor;
  /** The highest slot that may be shown to clients. A restart resumes above it. */
  readonly slotCeiling: number;
  /** Set in the first commit of a ledger. If set again, everything before this commit is dropped. */
  readonly identity?: LedgerIdentity;
}

/** The storage of a ledger. Reads are synchronous and see acknowledged commits only, each as a whole. */
export interface LedgerStore {
  /** The identity of the stored ledger; null if there is none yet. */
  readonly identity: LedgerIdentity | null;
  /** The slot ceiling of the last commit. */
  readonly slotCeiling: number;

  /** Every account. Iterate before the next commit. */
  accounts(): Iterable<readonly [Address, Account]>;
  /** A landed transaction by the base58 text of its first signature. */
  record(signature: string): TransactionRecord | null;
  /** Landed transactions from `slot` on, in landing order. Iterate before the next commit. */
  recordsFrom(slot: number): Iterable<TransactionRecord>;
  /** Whether a message landed whose blockhash has not expired. */
  hasMessage(message: MessageName): boolean;
  /** The landed transactions of one slot, in order. */
  recordsOf(slot: number): readonly TransactionRecord[];
  /**
   * Landed transactions that name an address, newest first, as of the call. Iterate once: each is decoded
   * when it is consumed, which is most of the cost.
   */
  recordsNaming(page: HistoryPage): Iterable<TransactionRecord>;
  /** How many transactions ever landed, forgotten ones included. */
  readonly recordCount: number;
  /** The oldest slot whose transactions are complete; 0 while none were forgotten. */
  readonly firstSlot: number;
  /** In ascending order of slots. */
  readonly timeAnchors: readonly TimeAnchor[];
  /** Its size on disk, bytes; 0 in memory. */
  readonly bytes: number;
  /** Becomes false for good at the first failed write. */
  readonly isWritable: boolean;

  /** Resolves once everything in `commit` survives a crash of the process and of the machine. */
  commit(commit: Commit): Promise<void>;
  /** Waits for pending commits, then closes. */
  close(): Promise<void>;
}

/** Default number of stored transactions. The oldest slots are removed first, each completely. */
export const TRANSACTIONS_MAX = 1_000_000;

/**
 * The first slot whose transactions are stored regardless of the limit, because a transaction with its
 * blockhash could be sent again at slot `newest`. Slots skipped by a jump have no block and do not count.
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
