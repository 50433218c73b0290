import { addressOf, type Address } from '../../solana/address.ts';
import type { AccountRange } from '../state/account-source.ts';
import { addressOfKey, ALL_OWNED, holdingRange, type KeyRange, ownedRange } from './account-keys.ts';
import type { LmdbTables, PinnedMoment } from './lmdb-tables.ts';
import { ledgerStopped } from './open-file.ts';

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
    const { transaction } = moment;
    const keys = [...table.keys({ ...keyRange, limit: max + 1, transaction })];
    if (keys.length > max) return null;
    // lmdb takes a page for another where the disk has put one in its place, and then leaves out what it had.
    const found = 'holder' in range ? keys : keysInPages(tables, keyRange, moment);
    return found.map((key) => addressOf(addressOfKey(key)));
  } finally {
    moment.release();
  }
}

/** The keys of owned accounts in a range, which is to have few: it is gone through to the end. */
function keysInPages(tables: LmdbTables, range: KeyRange, moment: PinnedMoment): Buffer[] {
  const found: Buffer[] = [];
  const walk = tables.walkPages(tables.owned, range, moment);
  while (walk.nextPage()) {
    while (walk.nextKey()) {
      const key = walk.key();
      if (key.compare(range.start) >= 0 && key.compare(range.end) < 0) found.push(key);
    }
  }
  return found;
}
