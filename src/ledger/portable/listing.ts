import type { Address } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import type { TransactionRecord } from '../execution.ts';
import type { LedgerStore } from '../store/store.ts';

/** The names that a ledger may list a transaction with these keys under. */
export type Listing = (keys: readonly Address[]) => readonly Address[];

/** The listing of a ledger that hides nothing. */
export const underKeys: Listing = (keys) => keys;

/** All keys of a transaction: those of its message, and those that it loaded from lookup tables. */
export function keysOf({ wire, loadedAddresses: { writable, readonly } }: TransactionRecord): Address[] {
  return [...decodeTransaction(wire).staticKeys, ...writable, ...readonly];
}

/**
 * The names under which a store lists a transaction: those of the first of `listings` that has it under each
 * of them; null where none has.
 */
export function listedUnder(
  store: Pick<LedgerStore, 'recordsNaming'>,
  record: TransactionRecord,
  listings: readonly Listing[],
): readonly Address[] | null {
  const keys = keysOf(record);
  for (const listing of listings) {
    const names = listing(keys);
    if (names.every((name) => isListed(store, record, name))) return names;
  }
  return null;
}

function isListed(
  store: Pick<LedgerStore, 'recordsNaming'>,
  { slot, index }: TransactionRecord,
  address: Address,
): boolean {
  const before = { slot, index: index + 1 };
  const [found] = store.recordsNaming({ address, before, limit: 1 });
  return found !== undefined && found.slot === slot && found.index === index;
}
