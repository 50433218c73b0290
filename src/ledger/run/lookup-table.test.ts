import { describe, expect, it } from 'vitest';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { addressOf } from '../../solana/address.ts';
import { TransactionRejected } from '../ledger.ts';
import { lookupTable } from '../testing/lookup-table.ts';
import { accountOf } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { slotAges } from '../testing/slot-ages.ts';
import { lookUpAddresses } from './account-keys.ts';

const SLOT = 2_000;
const random = new SeededRandom('tables');
const addresses = Array.from({ length: 5 }, () => addressOf(random.bytes(32)));
const table = addressOf(random.bytes(32));

function lookUp(account: Account | undefined, writable: number[], readonly: number[]): unknown {
  const lookup = { table, writable: Uint8Array.from(writable), readonly: Uint8Array.from(readonly) };
  try {
    return lookUpAddresses(account, lookup, slotAges(SLOT));
  } catch (error) {
    if (error instanceof TransactionRejected) return error.reason;
    throw error;
  }
}

describe('lookUpAddresses', () => {
  it('returns addresses by index, in the requested order', () => {
    expect(lookUp(lookupTable(addresses), [4, 0], [2])).toEqual({
      writable: [addresses[4], addresses[0]],
      readonly: [addresses[2]],
    });
  });

  it.each<[string, Account | undefined, string]>([
    ['does not exist', undefined, 'AddressLookupTableNotFound'],
    [
      'belongs to another program',
      accountOf(SYSTEM_PROGRAM, new Uint8Array(88)),
      'InvalidAddressLookupTableOwner',
    ],
    [
      'is too short',
      accountOf(ADDRESS_LOOKUP_TABLE_PROGRAM, new Uint8Array(55)),
      'InvalidAddressLookupTableData',
    ],
    ['is not initialized', lookupTable(addresses, { tag: 0 }), 'InvalidAddressLookupTableData'],
    [
      'ends within an address',
      accountOf(ADDRESS_LOOKUP_TABLE_PROGRAM, lookupTable(addresses).data.subarray(0, 100)),
      'InvalidAddressLookupTableData',
    ],
    ['has fewer addresses', lookupTable(addresses.slice(0, 4)), 'InvalidAddressLookupTableIndex'],
    [
      'was deactivated 513 slots ago',
      lookupTable(addresses, { deactivated: 1_487n }),
      'AddressLookupTableNotFound',
    ],
    [
      'is deactivated in the future',
      lookupTable(addresses, { deactivated: 2_001n }),
      'AddressLookupTableNotFound',
    ],
    [
      'got the address in this slot',
      lookupTable(addresses, { extended: 2_000n, extendedFrom: 4 }),
      'InvalidAddressLookupTableIndex',
    ],
    [
      'was extended from an index beyond its end',
      lookupTable(addresses, { extended: 2_000n, extendedFrom: 6 }),
      'InvalidAddressLookupTableData',
    ],
  ])('rejects a table that %s', (_, account, reason) => {
    expect(lookUp(account, [0], [4])).toBe(reason);
  });

  it.each<[string, Account]>([
    ['was deactivated 512 slots ago', lookupTable(addresses, { deactivated: 1_488n })],
    ['is being deactivated in this slot', lookupTable(addresses, { deactivated: 2_000n })],
    ['got the address in the slot before', lookupTable(addresses, { extended: 1_999n, extendedFrom: 4 })],
  ])('accepts a table that %s', (_, account) => {
    expect(lookUp(account, [], [4])).toEqual({ writable: [], readonly: [addresses[4]] });
  });
});
