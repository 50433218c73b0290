import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../programs/addresses.ts';
import { decodeLookupTable, type LookupTableState } from '../../programs/lookup-table.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TableLookup } from '../../solana/transaction.ts';
import type { LoadedAddresses } from '../execution.ts';
import { TransactionRejected } from '../ledger.ts';

/** A deactivated table works until its slot leaves the SlotHashes sysvar (`MAX_ENTRIES`), blocks. */
const COOL_DOWN_BLOCKS = 512;

/** The current slot, and the distance in blocks from others. */
export interface SlotAges {
  readonly slot: number;
  /** Undefined for a slot without a block, negative for a future slot. */
  blocksSince(slot: number): number | undefined;
}

/** Decoded tables by account. Accounts are replaced and never modified, so an entry stays valid. */
const decoded = new WeakMap<Account, LookupTableState | null>();

/**
 * Resolves the addresses a transaction loads from one table at the current slot of `ages`.
 *
 * @throws {TransactionRejected} AddressLookupTableNotFound (also for a table that was deactivated long ago),
 *   InvalidAddressLookupTableOwner, -Data, or -Index (also for addresses appended in this very slot).
 */
export function lookUpAddresses(
  account: Account | undefined,
  lookup: TableLookup,
  ages: SlotAges,
): LoadedAddresses {
  if (account === undefined) throw new TransactionRejected('AddressLookupTableNotFound');
  if (account.owner !== ADDRESS_LOOKUP_TABLE_PROGRAM) {
    throw new TransactionRejected('InvalidAddressLookupTableOwner');
  }
  const table = decodeOnce(account);
  if (table === null) throw new TransactionRejected('InvalidAddressLookupTableData');
  if (!isActive(table, ages)) throw new TransactionRejected('AddressLookupTableNotFound');
  const count = usableAddresses(table, BigInt(ages.slot));
  const at = (index: number): Address => {
    if (index >= count) throw new TransactionRejected('InvalidAddressLookupTableIndex');
    return table.addresses[index] as Address;
  };
  return { writable: Array.from(lookup.writable, at), readonly: Array.from(lookup.readonly, at) };
}

function decodeOnce(account: Account): LookupTableState | null {
  const known = decoded.get(account);
  if (known !== undefined) return known;
  const table = decodeLookupTable(account.data);
  decoded.set(account, table);
  return table;
}

function isActive({ deactivationSlot }: LookupTableState, ages: SlotAges): boolean {
  if (deactivationSlot === null) return true;
  const age = ages.blocksSince(Number(deactivationSlot));
  return age !== undefined && age >= 0 && age <= COOL_DOWN_BLOCKS;
}

/** Addresses appended in the current slot cannot be used yet. */
function usableAddresses(table: LookupTableState, slot: bigint): number {
  if (slot > table.lastExtendedSlot) return table.addresses.length;
  // The engine slices without a bounds check; beyond the end it would abort the process.
  if (table.lastExtendedFrom > table.addresses.length) {
    throw new TransactionRejected('InvalidAddressLookupTableData');
  }
  return table.lastExtendedFrom;
}
