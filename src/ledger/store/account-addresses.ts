import { addressOf, type Address } from '../../solana/address.ts';
import type { AccountRange } from '../state/account-source.ts';
import { addressOfKey, ALL_OWNED, holdingRange, ownedRange } from './account-keys.ts';
import type { LmdbTables } from './lmdb-tables.ts';
import { ledgerStopped } from './open-file.ts';
import type { PageWalk } from './page-walk.ts';

/**
 * The addresses of the accounts of a range as they are now, and of others whose keys begin alike. Null if
 * there are more than `max`.
 *
 * @throws {ServiceError} LEDGER_DAMAGED, and LEDGER_STOPPED once the tables are closed.
 */
export function addressesOf(tables: LmdbTables, range: AccountRange, max: number): readonly Address[] | null {
  if (tables.isClosed) throw ledgerStopped();
  const table = 'holder' in range ? tables.holdings : tables.owned;
  const keyRange =
    'holder' in range ? holdingRange(range) : 'program' in range ? ownedRange(range.program) : ALL_OWNED;
  const moment = tables.pin();
  try {
    // lmdb takes a page for another where the disk has put one in its place, and then leaves out what it had.
    const keys = keysOf(tables.walkPages(table, keyRange, moment), max);
    return keys && keys.map((key) => addressOf(addressOfKey(key)));
  } finally {
    moment.release();
  }
}

/** Null if there are more than `max`. */
function keysOf(walk: PageWalk, max: number): Buffer[] | null {
  const found: Buffer[] = [];
  walk.readFewAhead();
  while (walk.nextPage()) {
    while (walk.nextKey()) {
      if (found.length === max) return null;
      found.push(walk.key());
    }
  }
  return found;
}
