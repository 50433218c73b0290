import type { LoadedAddresses } from '../../ledger/execution.ts';
import { allAccountKeys, isRequestedWritable } from '../../ledger/run/account-keys.ts';
import { BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { RESERVED_KEYS } from './reserved-keys.ts';

/** The account keys with their rights, as shown in `jsonParsed` (Agave `ParsedAccount`). */
export function showAccountKeys(transaction: Transaction, loaded: LoadedAddresses): readonly JsonOutput[] {
  const keys = allAccountKeys(transaction, loaded);
  const isWritable = writability(transaction, loaded, keys);
  const staticCount = transaction.staticKeys.length;
  return keys.map((pubkey, index) => ({
    pubkey,
    signer: index < transaction.requiredSignatures,
    source: index < staticCount ? 'transaction' : 'lookupTable',
    writable: isWritable(pubkey, index),
  }));
}

/** The accounts a transaction may write (Agave `is_writable` of its messages). */
export function writableKeys(transaction: Transaction, loaded: LoadedAddresses): readonly Address[] {
  const keys = allAccountKeys(transaction, loaded);
  return keys.filter(writability(transaction, loaded, keys));
}

/** The number of accounts the message requests as writable, granted or not. */
export function countRequestedWriteLocks(transaction: Transaction, loaded: LoadedAddresses): number {
  const { staticKeys, readonlySigned, readonlyUnsigned } = transaction;
  return staticKeys.length - readonlySigned - readonlyUnsigned + loaded.writable.length;
}

/** Creates a test whether the key at an index is writable. */
function writability(
  transaction: Transaction,
  loaded: LoadedAddresses,
  keys: readonly Address[],
): (key: Address, index: number) => boolean {
  const demoted = demotedPrograms(transaction, keys);
  return (key, index) =>
    isRequestedWritable(transaction, loaded, index) && !RESERVED_KEYS.has(key) && !demoted.has(index);
}

/** Called programs are read-only, unless the upgradeable loader is among the keys to write them. */
function demotedPrograms(transaction: Transaction, keys: readonly Address[]): ReadonlySet<number> {
  if (keys.includes(BPF_LOADER_UPGRADEABLE)) return new Set();
  return new Set(transaction.instructions.map(({ programIdIndex }) => programIdIndex));
}
