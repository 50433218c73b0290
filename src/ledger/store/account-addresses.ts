import { addressOf, type Address } from '../../solana/address.ts';
import type { AccountRange } from '../state/account-source.ts';
import { addressOfKey, ALL_OWNED, holdingRange, ownedRange } from './account-keys.ts';
import type { LmdbTables } from './lmdb-tables.ts';
import { ledgerStopped } from './open-file.ts';

/**
 * The addresses of the accounts of a range as they are now, and of others whose keys begin alike. Null if
 * there are more than `max`.
 *
 * @throws {ServiceError} LEDGER_DAMAGED, and LEDGER_STOPPED once the tables are closed.
 */
export function addressesOf(tables: LmdbTables, range: AccountRange, max: number): readonly Address[] | null {
  if (tables.isClosed) throw ledgerStopped();
  const { owned, holdings } = tables;
  const found: Address[] = [];
  for (const key of 'holder' in range
    ? holdings.keys({ ...holdingRange(range), limit: max + 1 })
    : owned.keys({ ...('program' in range ? ownedRange(range.program) : ALL_OWNED), limit: max + 1 })) {
    found.push(addressOf(addressOfKey(key)));
  }
  return found.length > max ? null : found;
}
