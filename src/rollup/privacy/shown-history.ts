import type { TransactionRecord } from '../../ledger/execution.ts';
import { SignatureUnknown, type Ledger, type SignatureQuery } from '../../ledger/ledger.ts';

/** Transactions read for one answer. Nearly all of an address's history may be hidden. */
const RECORDS_READ_MAX = 4_000;

/** The least that is read at once: what is hidden is to cost few pages. */
const PAGE_MIN = 250;

/** A landed transaction as it may be shown; null when it must not be. */
type Show = (record: TransactionRecord) => TransactionRecord | null;

/**
 * A page of the transactions that name an address, of those that may be shown. Shorter than what was asked for where
 * much is hidden, and then to be continued from its last one.
 *
 * @throws {SignatureUnknown} for a bound that is not in the history, or must not be shown.
 */
export function showHistory(ledger: Ledger, query: SignatureQuery, show: Show): readonly TransactionRecord[] {
  for (const bound of [query.before, query.until]) {
    if (bound === undefined) continue;
    const record = ledger.getTransaction(bound);
    if (record === null || show(record) === null) throw new SignatureUnknown(bound);
  }
  const found: TransactionRecord[] = [];
  const limit = Math.max(query.limit, PAGE_MIN);
  let { before } = query;
  for (let read = 0; read < RECORDS_READ_MAX; read += limit) {
    const records = ledger.signaturesFor({ ...query, limit, ...(before !== undefined && { before }) });
    for (const record of records) {
      const shown = show(record);
      if (shown !== null && found.push(shown) === query.limit) return found;
    }
    if (records.length < limit) return found;
    before = records.at(-1)?.signature;
  }
  return found;
}
