import type { Address } from '../solana/address.ts';
import type { TransactionRecord } from './execution.ts';
import { SignatureUnknown, type SignatureQuery } from './ledger.ts';
import type { HistoryPage, LedgerStore } from './store/store.ts';

/** A landed transaction the store is still writing. */
interface Unwritten {
  readonly record: TransactionRecord;
  readonly addresses: ReadonlySet<Address>;
}

/** Landed transactions: those the store is still writing from memory, all others from the store when asked for. */
export class History {
  readonly #store: LedgerStore;
  /** In the order they landed. */
  readonly #unwritten = new Map<string, Unwritten>();
  #count: number;

  constructor(store: LedgerStore) {
    this.#store = store;
    this.#count = store.recordCount;
  }

  /** Transactions that ever landed. */
  get count(): number {
    return this.#count;
  }

  get(signature: string): TransactionRecord | null {
    return this.#unwritten.get(signature)?.record ?? this.#store.record(signature);
  }

  /** The transactions of a slot, in order. */
  of(slot: number): readonly TransactionRecord[] {
    const written = this.#store.recordsOf(slot);
    const records = this.#withUnwritten(written, ({ record }) => record.slot === slot);
    return records === written ? written : records.toSorted(byLanding);
  }

  /**
   * The transactions that name an address, the newest first.
   *
   * @throws {SignatureUnknown} for a `before` or `until` that never landed here.
   */
  naming({ address, before, until, limit }: SignatureQuery): readonly TransactionRecord[] {
    const upper = before === undefined ? undefined : this.#boundary(before);
    const lower = until === undefined ? undefined : this.#boundary(until);
    const page: HistoryPage = {
      address,
      limit,
      ...(upper && { before: upper }),
      ...(lower && { until: lower }),
    };
    const written = this.#store.recordsNaming(page);
    const records = this.#withUnwritten(
      written,
      ({ record, addresses }) =>
        addresses.has(address) &&
        (upper === undefined || byLanding(record, upper) < 0) &&
        (lower === undefined || byLanding(record, lower) > 0),
    );
    if (records === written) return written;
    return records.toSorted((a, b) => byLanding(b, a)).slice(0, limit);
  }

  /** Makes a record known from now on, while `written` is still under way. `addresses` are all it names. */
  add(record: TransactionRecord, addresses: readonly Address[], written: Promise<void>): void {
    this.#count++;
    this.#unwritten.set(record.signature, { record, addresses: new Set(addresses) });
    // Whoever waits for the write hears of its failure; the record stays known until the process ends.
    written.then(
      () => this.#unwritten.delete(record.signature),
      () => undefined,
    );
  }

  #boundary(signature: string): TransactionRecord {
    const record = this.get(signature);
    if (record === null) throw new SignatureUnknown(signature);
    return record;
  }

  /** Written records with those that are not yet, in no order; a record can for a moment be both. */
  #withUnwritten(
    written: readonly TransactionRecord[],
    isWanted: (unwritten: Unwritten) => boolean,
  ): readonly TransactionRecord[] {
    const wanted = [...this.#unwritten.values()].filter(isWanted);
    if (wanted.length === 0) return written;
    const known = new Set(written.map(({ signature }) => signature));
    return [
      ...written,
      ...wanted.map(({ record }) => record).filter(({ signature }) => !known.has(signature)),
    ];
  }
}

function byLanding(a: TransactionRecord, b: TransactionRecord): number {
  return a.slot - b.slot || a.index - b.index;
}
