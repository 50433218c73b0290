import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../programs/addresses.ts';
import { decodeLookupTable, type LookupTableState } from '../../programs/lookup-table.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { isSane, isStaticKeyWritable, type TableLookup, type Transaction } from '../../solana/transaction.ts';
import { type LoadedAddresses, TransactionRejected } from '../ledger.ts';
import type { AccountView } from '../state/accounts.ts';

/** All accounts of a transaction. */
export interface AccountKeys {
  /** Static keys, then loaded writable and loaded read-only keys. Instructions index into this list. */
  readonly addresses: readonly Address[];
  readonly loaded: LoadedAddresses;
}

const NOTHING_LOADED: LoadedAddresses = { writable: [], readonly: [] };

/** Returns all account keys of a transaction in index order, including keys from lookup tables. */
export function allAccountKeys(transaction: Transaction, loaded: LoadedAddresses): readonly Address[] {
  return loaded.writable.length + loaded.readonly.length === 0
    ? transaction.staticKeys
    : [...transaction.staticKeys, ...loaded.writable, ...loaded.readonly];
}

/** Whether the message requests the account at an index as writable, even if this is not granted. */
export function isRequestedWritable(
  transaction: Transaction,
  loaded: LoadedAddresses,
  index: number,
): boolean {
  const staticCount = transaction.staticKeys.length;
  if (index < staticCount) return isStaticKeyWritable(transaction, index);
  return index < staticCount + loaded.writable.length;
}

/**
 * Resolves the accounts of a transaction, including those in its lookup tables.
 *
 * @param ages the slot at which tables are resolved.
 * @param locksMax maximum number of accounts.
 * @throws {TransactionRejected} if the message is malformed, a table cannot be resolved or a key occurs
 *   twice. Checks are made in Agave's order.
 */
export function resolveAccountKeys(
  transaction: Transaction,
  accounts: AccountView,
  ages: SlotAges,
  locksMax = ACCOUNT_LOCKS_MAX,
): AccountKeys {
  if (!isSane(transaction)) throw new TransactionRejected('SanitizeFailure');
  const keys = loadKeys(transaction, accounts, ages);
  if (keys.addresses.length > locksMax) throw new TransactionRejected('TooManyAccountLocks');
  if (new Set(keys.addresses).size < keys.addresses.length)
    throw new TransactionRejected('AccountLoadedTwice');
  return keys;
}

function loadKeys(transaction: Transaction, accounts: AccountView, ages: SlotAges): AccountKeys {
  const { staticKeys, lookups } = transaction;
  if (lookups.length === 0) return { addresses: staticKeys, loaded: NOTHING_LOADED };
  const writable: Address[] = [];
  const readonly: Address[] = [];
  for (const lookup of lookups) {
    const found = lookUpAddresses(accounts.get(lookup.table), lookup, ages);
    writable.push(...found.writable);
    readonly.push(...found.readonly);
  }
  return { addresses: [...staticKeys, ...writable, ...readonly], loaded: { writable, readonly } };
}

/**
 * Returns the first signature of a transaction, base58, which identifies it.
 *
 * @throws {TransactionRejected} if it has none.
 */
export function signatureOf({ signatures: [first] }: Transaction): string {
  if (first === undefined) throw new TransactionRejected('SanitizeFailure');
  return encodeBase58(first);
}

/** Maximum accounts per transaction if {@link MORE_ACCOUNT_LOCKS} is inactive, as on mainnet. */
export const ACCOUNT_LOCKS_MAX = 64;

/** Maximum accounts per transaction with {@link MORE_ACCOUNT_LOCKS} (Agave `MAX_TX_ACCOUNT_LOCKS`). */
const MORE_ACCOUNT_LOCKS_MAX = 128;

/** The feature `increase_tx_account_lock_limit`. */
export const MORE_ACCOUNT_LOCKS = '9LZdXeKGeBV6hRLdxS1rHbHoEUsKqesCC2ZAPTPKJAbK' as Address;

/** Returns the maximum accounts per transaction (Agave `get_transaction_account_lock_limit`). */
export function accountLocksMax(features: ReadonlySet<Address>, chosen: number | undefined): number {
  return chosen ?? (features.has(MORE_ACCOUNT_LOCKS) ? MORE_ACCOUNT_LOCKS_MAX : ACCOUNT_LOCKS_MAX);
}

/** Blocks for which a deactivated table still works: the length of the SlotHashes sysvar (`MAX_ENTRIES`). */
const COOL_DOWN_BLOCKS = 512;

/** The current slot, and its distance in blocks from other slots. */
export interface SlotAges {
  readonly slot: number;
  /** Returns the blocks since a slot; undefined for a slot without a block, negative for a future slot. */
  blocksSince(slot: number): number | undefined;
}

/**
 * Resolves the addresses that a transaction loads from one table, at the current slot of `ages`.
 *
 * @throws {TransactionRejected} AddressLookupTableNotFound (also for a table that was deactivated long ago),
 *   InvalidAddressLookupTableOwner, -Data, or -Index (also for addresses appended in the current slot).
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
  const table = decodeLookupTable(account.data);
  if (table === null) throw new TransactionRejected('InvalidAddressLookupTableData');
  if (!isActive(table, ages)) throw new TransactionRejected('AddressLookupTableNotFound');
  const count = usableAddresses(table, BigInt(ages.slot));
  const at = (index: number): Address => {
    if (index >= count) throw new TransactionRejected('InvalidAddressLookupTableIndex');
    return table.addresses[index] as Address;
  };
  return { writable: Array.from(lookup.writable, at), readonly: Array.from(lookup.readonly, at) };
}

function isActive({ deactivationSlot }: LookupTableState, ages: SlotAges): boolean {
  if (deactivationSlot === null) return true;
  const age = ages.blocksSince(Number(deactivationSlot));
  return age !== undefined && age >= 0 && age <= COOL_DOWN_BLOCKS;
}

/** Returns the number of usable addresses. Addresses appended in the current slot cannot be used yet. */
function usableAddresses(table: LookupTableState, slot: bigint): number {
  if (slot > table.lastExtendedSlot) return table.addresses.length;
  // The engine slices without a bounds check and would abort the process.
  if (table.lastExtendedFrom > table.addresses.length) {
    throw new TransactionRejected('InvalidAddressLookupTableData');
  }
  return table.lastExtendedFrom;
}
