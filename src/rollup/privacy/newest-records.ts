import type { TransactionRecord } from '../../ledger/execution.ts';
import type { Ledger, SignatureQuery } from '../../ledger/ledger.ts';
import { comparePositions } from '../../ledger/store/record-position.ts';
import type { Address } from '../../solana/address.ts';

/**
 * The landed transactions that are listed under any of some names, the newest first, each once.
 *
 * @param query its limit is how many are read of a name at once.
 */
export function* newestRecords(
  ledger: Pick<Ledger, 'signaturesFor'>,
  names: readonly Address[],
  query: Omit<SignatureQuery, 'address'>,
): Iterable<TransactionRecord> {
  const lists = names.map((address) => new RecordList(ledger, { ...query, address }));
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

  constructor(ledger: Pick<Ledger, 'signaturesFor'>, query: SignatureQuery) {
    this.#records = readPages(ledger, query);
    this.drop();
  }

  drop(): void {
    const { done, value } = this.#records.next();
    this.first = done === true ? undefined : value;
  }
}

function* readPages(
  ledger: Pick<Ledger, 'signaturesFor'>,
  query: SignatureQuery,
): Generator<TransactionRecord, undefined> {
  let { before } = query;
  for (;;) {
    const page = ledger.signaturesFor({ ...query, ...(before !== undefined && { before }) });
    yield* page;
    if (page.length < query.limit) return undefined;
    before = page.at(-1)?.signature;
  }
}
