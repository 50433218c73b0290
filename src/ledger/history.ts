import { type Block, type SignatureQuery, SignatureUnknown, type TransactionRecord } from './ledger.ts';
import type { HistoryPage, LedgerStore } from './store/store.ts';
import type { Timeline } from './time/timeline.ts';

/** Durable transactions are dropped from the list of slots after every so many transactions. */
const UNWRITTEN_LOOK = 256;

/** The durable transactions, and the slots of those that are not durable yet. */
export class History {
  readonly #store: LedgerStore;
  /**
   * The slots of the last transactions in landing order, one entry per transaction. The transactions at the
   * end are not durable yet.
   */
  #slots: number[] = [];
  /** Transactions that ever landed, durable or not. */
  #landed: number;

  constructor(store: LedgerStore) {
    this.#store = store;
    this.#landed = store.recordCount;
  }

  /** Transactions that ever landed. */
  get count(): number {
    return this.#store.recordCount;
  }

  /** The oldest slot with a transaction that is not durable yet; infinite if there is none. */
  get oldestUnwrittenSlot(): number {
    this.#forgetWritten();
    return this.#slots[0] ?? Number.POSITIVE_INFINITY;
  }

  /** Notes that a transaction of a slot is being written. */
  add(slot: number): void {
    this.#landed++;
    if (this.#slots.push(slot) % UNWRITTEN_LOOK === 0) this.#forgetWritten();
  }

  get(signature: string): TransactionRecord | null {
    return this.#store.record(signature);
  }

  /** The transactions of a slot, in order. */
  of(slot: number): readonly TransactionRecord[] {
    return this.#store.recordsOf(slot);
  }

  /**
   * The transactions that name an address, newest first. Iterate once.
   *
   * @throws {SignatureUnknown} for a `before` or `until` that never landed here.
   */
  naming({ address, before, until, limit }: SignatureQuery): Iterable<TransactionRecord> {
    const upper = before === undefined ? undefined : this.#boundary(before);
    const lower = until === undefined ? undefined : this.#boundary(until);
    const page: HistoryPage = {
      address,
      limit,
      ...(upper && { before: upper }),
      ...(lower && { until: lower }),
    };
    return this.#store.recordsNaming(page);
  }

  /** Transactions become durable in landing order. */
  #forgetWritten(): void {
    const written = this.#slots.length - (this.#landed - this.#store.recordCount);
    if (written > 0) this.#slots.splice(0, written);
  }

  #boundary(signature: string): TransactionRecord {
    const record = this.get(signature);
    if (record === null) throw new SignatureUnknown(signature);
    return record;
  }
}

/**
 * The block of a slot from `firstSlot` to the current one; null if there is none. Slot 0 is its own parent,
 * as in Agave's blockstore.
 */
export function readBlock(
  slot: number,
  firstSlot: number,
  timeline: Timeline,
  history: History,
): Block | null {
  const blockHeight = Number.isInteger(slot) ? timeline.heightOf(slot) : undefined;
  if (blockHeight === undefined || slot > timeline.slot || slot < firstSlot) return null;
  const parentHeight = Math.max(0, blockHeight - 1);
  return {
    slot,
    parentSlot: timeline.slotAt(parentHeight),
    blockHeight,
    blockhash: timeline.blockhashAt(blockHeight),
    previousBlockhash: timeline.blockhashAt(parentHeight),
    blockTime: timeline.timeOf(slot),
    transactions: history.of(slot),
  };
}
