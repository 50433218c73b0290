import { BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountView } from '../state/account-state.ts';
import { internAddress } from '../state/intern-address.ts';

/**
 * Bytes counted per account besides its data, and per lookup table in total (Agave
 * `TRANSACTION_ACCOUNT_BASE_SIZE`, `ADDRESS_LOOKUP_TABLE_BASE_SIZE`).
 */
const ACCOUNT_BASE_BYTES = 64;
const LOOKUP_TABLE_BYTES = 8_248;

/** `UpgradeableLoaderState::Program`: u32 tag 2, address of the ProgramData. */
const PROGRAM_TAG = 2;
const PROGRAM_BYTES = 36;

/**
 * ProgramData address by program account. Accounts are replaced and never modified, so an entry stays valid.
 */
const knownProgramData = new WeakMap<Account, Address | null>();

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
    const programData = account.owner === BPF_LOADER_UPGRADEABLE ? programDataOf(account) : null;
    // ProgramData that is among the keys is counted there.
    if (programData === null || counted.has(programData) || addresses.includes(programData)) continue;
    counted.add(programData);
    const loaded = accounts.get(programData);
    if (loaded !== undefined) size += ACCOUNT_BASE_BYTES + loaded.data.length;
  }
  return size;
}

function programDataOf(program: Account): Address | null {
  const known = knownProgramData.get(program);
  if (known !== undefined) return known;
  const address = programDataAddress(program.data);
  knownProgramData.set(program, address);
  return address;
}

/** The ProgramData address of an upgradeable program; null if the data is not a program's. */
export function programDataAddress(data: Uint8Array): Address | null {
  if (data.length < PROGRAM_BYTES || data[0] !== PROGRAM_TAG) return null;
  return internAddress(data.subarray(4, PROGRAM_BYTES));
}
