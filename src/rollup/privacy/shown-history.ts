import { ServiceError } from '../../errors/service-error.ts';
import type { TransactionRecord } from '../../ledger/execution.ts';
import { SignatureUnknown, type HistoryReads, type SignatureQuery } from '../../ledger/ledger.ts';
import type { Address } from '../../solana/address.ts';
import { newestRecords } from './newest-records.ts';

/** Transactions looked at for one answer; each costs some 15 µs. */
export const RECORDS_READ_MAX = 4_000;

/** The least that is read at once: what is hidden is to cost few pages. */
const PAGE_MIN = 250;

/** Where a history is looked for, and what of it is found. */
interface HistorySearch {
  /** The names that transactions are listed under. */
  readonly sources: readonly Address[];
  /** Whether a transaction that is listed there is of the history. */
  readonly isPart: (record: TransactionRecord) => boolean;
  /** A landed transaction as it may be shown; null when it must not be. */
  readonly show: (record: TransactionRecord) => TransactionRecord | null;
}

/**
 * A page of the transactions that name an address, of those that may be shown; null stands for one that was
 * looked at and is not of it. It is shorter than what was asked for only where it ends, as clients take it.
 * As of the call, to be gone through once, whenever that is; what may be shown of a transaction is known once
 * it is decoded, when it is taken.
 *
 * @throws {SignatureUnknown} at once, for a bound that is not in the history, or must not be shown.
 * @throws {ServiceError} INVALID_ARGUMENTS on the way, when too few were found among as many as are looked
 *   at.
 */
export function showHistory(
  ledger: Pick<HistoryReads, 'getTransaction' | 'historyOf'>,
  query: Omit<SignatureQuery, 'address'>,
  search: HistorySearch,
): Iterable<TransactionRecord | null> {
  for (const bound of [query.before, query.until]) {
    if (bound === undefined) continue;
    const record = ledger.getTransaction(bound);
    if (record === null || search.show(record) === null) throw new SignatureUnknown(bound);
  }
  const limit = Math.ceil(Math.max(query.limit, PAGE_MIN) / search.sources.length);
  return showFound(newestRecords(ledger, search.sources, { ...query, limit }), query.limit, search);
}

function* showFound(
  records: Iterable<TransactionRecord>,
  limit: number,
  { isPart, show }: HistorySearch,
): Iterable<TransactionRecord | null> {
  let [read, found] = [0, 0];
  for (const record of records) {
    if (read++ === RECORDS_READ_MAX) throw tooMuchHidden(RECORDS_READ_MAX, found);
    const shown = isPart(record) ? show(record) : null;
    yield shown;
    if (shown !== null && ++found === limit) return;
  }
}

function tooMuchHidden(readCount: number, shownCount: number): ServiceError {
  const advice =
    shownCount === 0
      ? 'log in as its owner, or pass as `before` an older signature that you know'
      : `log in as its owner, or ask with a limit of ${shownCount} and go on with \`before\``;
  const what = `Of the ${readCount} newest transactions that were asked for only ${shownCount} are yours to see`;
  return new ServiceError('INVALID_ARGUMENTS', `${what}, less than the limit: ${advice}`);
}
