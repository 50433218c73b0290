import type { Ledger } from '../../ledger/ledger.ts';
import type { AccountsSet, TransactionLanded } from '../../ledger/ledger-events.ts';
import type { Reader } from './guard.ts';
import type { Guards } from './guards.ts';
import { mayRead, showRecord } from './shown-record.ts';

/** What a ledger tells its listeners. */
export type LedgerEvent = AccountsSet | TransactionLanded;

/**
 * An event as a reader may learn of it; null when it is as if it had not happened. Of a transaction that is
 * hidden from them, the changes of accounts that are not are told as changes without one.
 */
export function showEvent(
  event: LedgerEvent,
  reader: Reader,
  guards: Guards,
  ledger: Pick<Ledger, 'getAccount'>,
): LedgerEvent | null {
  const visible = event.changes.filter(({ address }) => mayRead(address, reader, guards));
  const changes = visible.length === event.changes.length ? event.changes : visible;
  if (event.kind === 'transaction') {
    const record = showRecord(event.record, reader, guards, ledger);
    if (record === event.record && changes === event.changes) return event;
    if (record !== null) return { ...event, record, changes };
  } else if (changes === event.changes) return event;
  return changes.length === 0 ? null : { kind: 'accounts', slot: event.slot, changes };
}
