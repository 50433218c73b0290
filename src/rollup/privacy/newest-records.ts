import type { TransactionRecord } from '../../ledger/execution.ts';
import { SignatureUnknown, type HistoryReads, type SignatureQuery } from '../../ledger/ledger.ts';
import { comparePositions } from '../../ledger/store/store.ts';
import type { Address } from '../../solana/address.ts';

/**
 * The landed transactions that are listed under any of some names, the newest first, each once: as of the
 * call, whenever they are gone through. Each is decoded when it is taken.
 *
 * @param query its limit is how many are read of a name at once.
 */
export function newestRecords(
  ledger: Pick<HistoryReads, 'historyOf'>,
  names: readonly Address[],
  query: Omit<SignatureQuery, 'address'>,
): Iterable<TransactionRecord> {
  // What lands later comes before the first page of each.
  return mergeNewest(names.map((address) => new RecordList(ledger, { ...query, address })));
}

function* mergeNewest(lists: readonly RecordList[]): Iterable<TransactionRecord> {
  for (;;) {
    let newest: TransactionRecord | undefined;
    for (const { first } of lists) {
      if (first !== undefined && (newest === undefined || comparePositions(first, newest) > 0))
        newest = first;
    }
    if (newest === undefined) return;
    for (const list of lists) if (list.first?.signature === newest.signature) list.drop();
    yield newest;
  }
}

/** What is listed under one name, read page by page. */
class RecordList {
  first: TransactionRecord | undefined;
  readonly #records: Iterator<TransactionRecord>;

  constructor(ledger: Pick<HistoryReads, 'historyOf'>, query: SignatureQuery) {
    this.#records = readPages(ledger, query);
    this.drop();
  }

  drop(): void {
    const { done, value } = this.#records.next();
    this.first = done === true ? undefined : value;
  }
}

function* readPages(
  ledger: Pick<HistoryReads, 'historyOf'>,
  query: SignatureQuery,
): Generator<TransactionRecord, undefined> {
  let page = ledger.historyOf(query);
  for (;;) {
    let [count, last] = [0, ''];
    for (const record of page) {
      if (record === null) continue;
      count += 1;
      last = record.signature;
      yield record;
    }
    if (count < query.limit) return undefined;
    page = readOn(ledger, { ...query, before: last });
  }
}

/**
 * The page behind a transaction, which may have been forgotten since it was taken, and all that are older
 * with it.
 */
function readOn(
  ledger: Pick<HistoryReads, 'historyOf'>,
  query: SignatureQuery,
): ReturnType<HistoryReads['historyOf']> {
  try {
    return ledger.historyOf(query);
  } catch (error) {
    if (error instanceof SignatureUnknown) return [];
    throw error;
  }
}
