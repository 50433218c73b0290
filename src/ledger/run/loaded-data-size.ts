import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { programDataOf } from '../genesis/program-accounts.ts';
import type { AccountView } from '../state/account-state.ts';

/**
 * Bytes counted per account in addition to its data, and per lookup table in total (Agave
 * `TRANSACTION_ACCOUNT_BASE_SIZE`, `ADDRESS_LOOKUP_TABLE_BASE_SIZE`).
 */
const ACCOUNT_BASE_BYTES = 64;
const LOOKUP_TABLE_BYTES = 8_248;

/**
 * Bytes of account data a transaction loads (SIMD-0186): its existing accounts, its lookup tables, and the
 * ProgramData of its upgradeable programs, each counted once.
 */
export function loadedDataSize(
  addresses: readonly Address[],
  states: readonly (Account | undefined)[],
  lookupTables: number,
  accounts: AccountView,
): number {
  let size = lookupTables * LOOKUP_TABLE_BYTES;
  const counted = new Set<Address>();
  for (const account of states) {
    if (account === undefined) continue;
    size += ACCOUNT_BASE_BYTES + account.data.length;
    const programData = programDataOf(account);
    // ProgramData that is among the keys is counted there.
    if (programData === null || counted.has(programData) || addresses.includes(programData)) continue;
    counted.add(programData);
    const loaded = accounts.get(programData);
    if (loaded !== undefined) size += ACCOUNT_BASE_BYTES + loaded.data.length;
  }
  return size;
}
