import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../programs/addresses.ts';
import { decodeLookupTable, type LookupTableState } from '../../programs/lookup-table.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TableLookup } from '../../solana/transaction.ts';
import type { LoadedAddresses } from '../execution.ts';
import { TransactionRejected } from '../ledger.ts';

/** A deactivated table serves until its slot leaves the SlotHashes sysvar (`MAX_ENTRIES`). */
const COOL_DOWN_BLOCKS = 512;

/** The present slot, and the blocks there are since others. */
export interface SlotAges {
  readonly slot: number;
  /** Undefined for a slot without a block, negative for one that is still to come. */
  blocksSince(slot: number): number | undefined;
}

/** Tables by account. Accounts are replaced and never changed, so what was read from one stays true of it. */
const decoded = new WeakMap<Account, LookupTableState | null>();

/**
 * The addresses a transaction loads from one table in the present slot of `ages`.
 *
 * @throws {TransactionRejected} AddressLookupTableNotFound (also for a table deactivated long ago),
 * InvalidAddressLookupTableOwner, -Data, or -Index (also for addresses appended in this very slot).
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

/** Addresses appended in the current slot do not count yet. */
function usableAddresses(table: LookupTableState, slot: bigint): number {
  if (slot > table.lastExtendedSlot) return table.addresses.length;
  // The engine slices without looking: beyond the end it would end the process.
  if (table.lastExtendedFrom > table.addresses.length) {
    throw new TransactionRejected('InvalidAddressLookupTableData');
  }
  return table.lastExtendedFrom;
}
