import { addressOf, type Address } from '../../solana/address.ts';
import type { AccountRange } from '../state/account-source.ts';
import { addressOfKey, ALL_OWNED, holdingRange, ownedRange } from './account-keys.ts';
import type { LmdbTables } from './lmdb-tables.ts';

/**
 * The addresses of the accounts of a range as they are now, and of others whose keys begin alike. Null if
 * there are more than `max`.
 *
 * @throws {ServiceError} LEDGER_DAMAGED.
 */
export function addressesOf(
  { owned, holdings }: LmdbTables,
  range: AccountRange,
  max: number,
): readonly Address[] | null {
  const found: Address[] = [];
  for (const key of 'holder' in range
    ? holdings.keys({ ...holdingRange(range), limit: max + 1 })
    : owned.keys({ ...('program' in range ? ownedRange(range.program) : ALL_OWNED), limit: max + 1 })) {
    found.push(addressOf(addressOfKey(key)));
  }
  return found.length > max ? null : found;
}
