import { ServiceError } from '../../errors/service-error.ts';
import type { TransactionRecord } from '../../ledger/execution.ts';
import { SignatureUnknown, type Ledger, type SignatureQuery } from '../../ledger/ledger.ts';

/** Transactions read for one answer, or a page more; each costs some 15 µs. Nearly all of a history may be hidden. */
export const RECORDS_READ_MAX = 4_000;

/** The least that is read at once: what is hidden is to cost few pages. */
const PAGE_MIN = 250;

/** A landed transaction as it may be shown; null when it must not be. */
type Show = (record: TransactionRecord) => TransactionRecord | null;

/**
 * A page of the transactions that name an address, of those that may be shown. It is shorter than what was asked for only
 * where it ends, as clients take it.
 *
 * @throws {SignatureUnknown} for a bound that is not in the history, or must not be shown.
 * @throws {ServiceError} INVALID_ARGUMENTS when so much is hidden that too few were found among as many as are read.
 */
export function showHistory(
  ledger: Pick<Ledger, 'getTransaction' | 'signaturesFor'>,
  query: SignatureQuery,
  show: Show,
): readonly TransactionRecord[] {
  for (const bound of [query.before, query.until]) {
    if (bound === undefined) continue;
    const record = ledger.getTransaction(bound);
    if (record === null || show(record) === null) throw new SignatureUnknown(bound);
  }
  const found: TransactionRecord[] = [];
  const limit = Math.max(query.limit, PAGE_MIN);
  let { before } = query;
  let read = 0;
  for (; read < RECORDS_READ_MAX; read += limit) {
    const records = ledger.signaturesFor({ ...query, limit, ...(before !== undefined && { before }) });
    for (const record of records) {
      const shown = show(record);
      if (shown !== null && found.push(shown) === query.limit) return found;
    }
    if (records.length < limit) return found;
    before = records.at(-1)?.signature;
  }
  throw tooMuchHidden(read, found.length);
}

function tooMuchHidden(readCount: number, shownCount: number): ServiceError {
  const advice =
    shownCount === 0
      ? 'log in as its owner, or pass as `before` an older signature that you know'
      : `log in as its owner, or ask with a limit of ${shownCount} and go on with \`before\``;
  const what = `Of the ${readCount} newest transactions that were asked for only ${shownCount} are yours to see`;
  return new ServiceError('INVALID_ARGUMENTS', `${what}, less than the limit: ${advice}`);
}
