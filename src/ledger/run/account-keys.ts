import { encodeBase58 } from '../../solana/base58.ts';
import type { Address } from '../../solana/address.ts';
import { isSane, isStaticKeyWritable, type Transaction } from '../../solana/transaction.ts';
import type { LoadedAddresses } from '../execution.ts';
import { TransactionRejected } from '../ledger.ts';
import type { AccountView } from '../state/account-state.ts';
import { ACCOUNT_LOCKS_MAX } from './account-locks.ts';
import { lookUpAddresses, type SlotAges } from './lookup-table.ts';

/** All accounts a transaction names. */
export interface AccountKeys {
  /**
   * The static keys, then the loaded writable and the loaded read-only ones. Instructions index into this
   * list.
   */
  readonly addresses: readonly Address[];
  readonly loaded: LoadedAddresses;
}

const NOTHING_LOADED: LoadedAddresses = { writable: [], readonly: [] };

/**
 * All account keys of a transaction in index order: static ones, then the writable and the read-only ones of
 * tables.
 */
export function allAccountKeys(transaction: Transaction, loaded: LoadedAddresses): readonly Address[] {
  return loaded.writable.length + loaded.readonly.length === 0
    ? transaction.staticKeys
    : [...transaction.staticKeys, ...loaded.writable, ...loaded.readonly];
}

/** Whether the message requests the account at an index of all keys as writable, granted or not. */
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
 * Resolves the accounts a transaction names, including those of its lookup tables.
 *
 * @param ages the slot to resolve tables at.
 * @param locksMax how many accounts the transaction may name.
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
 * The signature a transaction is known by, base58: its first.
 *
 * @throws {TransactionRejected} if it has none.
 */
export function signatureOf({ signatures: [first] }: Transaction): string {
  if (first === undefined) throw new TransactionRejected('SanitizeFailure');
  return encodeBase58(first);
}
