import type { TransactionRecord } from './execution.ts';
import { SignatureUnknown, type SignatureQuery } from './ledger.ts';
import type { HistoryPage, LedgerStore } from './store/store.ts';

/** What landed is looked through every so many transactions for what is durable by now. */
const UNWRITTEN_LOOK = 256;

/** Landed transactions that are durable, and which slots have some that are not yet. */
export class History {
  readonly #store: LedgerStore;
  /**
   * Slots of what landed last, in the order it did, one for each transaction; those at the end are not
   * durable yet.
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

  /** The oldest slot with a transaction that is not durable yet; infinite when all are. */
  get oldestUnwrittenSlot(): number {
    this.#forgetWritten();
    return this.#slots[0] ?? Number.POSITIVE_INFINITY;
  }

  /** A transaction landed in a slot and is being written. */
  add(slot: number): void {
    this.#landed++;
    if (this.#slots.push(slot) % UNWRITTEN_LOOK === 0) this.#forgetWritten();
  }

  get(signature: string): TransactionRecord | null {
    return this.#store.record(signature);
  }

  /** The up to `limit` that landed last, the newest first. */
  newest(limit: number): readonly TransactionRecord[] {
    return this.#store.newestRecords(limit);
  }

  /** The transactions of a slot, in order. */
  of(slot: number): readonly TransactionRecord[] {
    return this.#store.recordsOf(slot);
  }

  /**
   * The transactions that name an address, the newest first; to be gone through once.
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

  /** They become durable in the order they landed. */
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
