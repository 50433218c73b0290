import type { TransactionRecord } from '../execution.ts';
import type { LedgerStore } from './store.ts';

/** Landed transactions: those the store is still writing from memory, all others from the store when asked for. */
export class History {
  readonly #store: LedgerStore;
  readonly #unwritten = new Map<string, TransactionRecord>();

  constructor(store: LedgerStore) {
    this.#store = store;
  }

  get(signature: string): TransactionRecord | null {
    return this.#unwritten.get(signature) ?? this.#store.record(signature);
  }

  /** Makes a record known from now on, while `written` is still under way. */
  add(record: TransactionRecord, written: Promise<void>): void {
    this.#unwritten.set(record.signature, record);
    // Whoever waits for the write hears of its failure; the record stays known until the process ends.
    written.then(
      () => this.#unwritten.delete(record.signature),
      () => undefined,
    );
  }
}
