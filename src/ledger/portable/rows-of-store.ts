import { ServiceError } from '../../errors/service-error.ts';
import type { TransactionRecord } from '../execution.ts';
import type { LedgerStore } from '../store/store.ts';
import { countFault } from './count-fault.ts';
import { keysOf, listedUnder, type Listing } from './listing.ts';
import type { LedgerRow, Row } from './rows.ts';

/** A ledger that is written out. */
interface WrittenLedger {
  readonly name: LedgerRow['name'];
  /** One that has begun, and that nobody writes to meanwhile. */
  readonly store: LedgerStore;
  /** The names that it may list a transaction under. */
  readonly listings: readonly Listing[];
}

/**
 * Everything that a ledger is: itself, its accounts, its transactions in the order they landed, and the
 * messages that it refuses to take again.
 *
 * @throws {ServiceError} LEDGER_DAMAGED.
 */
export function* rowsOfStore({ name, store, listings }: WrittenLedger): Iterable<Row> {
  const { identity, slotCeiling, firstSlot, recordCount, timeAnchors } = store;
  if (identity === null) return;
  yield {
    type: 'ledger',
    name,
    ...identity,
    slotCeiling,
    firstSlot,
    recordCount,
    timeAnchors,
  };
  for (const [address, account] of store.accounts()) yield { type: 'account', address, ...account };
  let transactions = 0;
  for (const record of store.recordsFrom(firstSlot)) {
    transactions++;
    yield transactionRowOf(store, record, listings);
  }
  const fault = countFault(store, transactions);
  if (fault !== null)
    throw new ServiceError('LEDGER_DAMAGED', `The ledger ${name} lacks something: ${fault}`);
  for (const message of store.messages()) yield { type: 'message', ...message };
}

function transactionRowOf(store: LedgerStore, record: TransactionRecord, listings: readonly Listing[]): Row {
  const names = listedUnder(store, record, listings);
  if (names === null) {
    const { signature, slot } = record;
    throw new ServiceError(
      'LEDGER_DAMAGED',
      `The transaction ${signature} of slot ${slot} is not listed under the addresses that it names`,
    );
  }
  const keys = keysOf(record);
  const isPlain = names.length === keys.length && names.every((name, index) => name === keys[index]);
  return { type: 'transaction', record, ...(!isPlain && { listedUnder: names }) };
}
