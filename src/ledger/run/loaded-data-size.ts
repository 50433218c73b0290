import { BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { dataLength, leadingData } from '../state/account-data.ts';
import type { AccountView } from '../state/account-state.ts';
import { internAddress } from '../state/intern-address.ts';

/**
 * Bytes an account counts for besides its data, and a lookup table in all (Agave
 * `TRANSACTION_ACCOUNT_BASE_SIZE`, `ADDRESS_LOOKUP_TABLE_BASE_SIZE`).
 */
const ACCOUNT_BASE_BYTES = 64;
const LOOKUP_TABLE_BYTES = 8_248;

/** `UpgradeableLoaderState::Program`: u32 tag 2, address of the ProgramData. */
const PROGRAM_TAG = 2;
const PROGRAM_BYTES = 36;

/**
 * ProgramData by program account. Accounts are replaced and never changed, so what was read from one stays
 * true of it.
 */
const knownProgramData = new WeakMap<Account, Address | null>();

/**
 * Bytes of accounts a transaction loads (SIMD-0186): its existing accounts, its lookup tables, and the
 * ProgramData of upgradeable programs among them, each once.
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
    size += ACCOUNT_BASE_BYTES + dataLength(account);
    const programData = account.owner === BPF_LOADER_UPGRADEABLE ? programDataOf(account) : null;
    if (programData === null || counted.has(programData) || addresses.includes(programData)) continue;
    counted.add(programData);
    const loaded = accounts.get(programData);
    if (loaded !== undefined) size += ACCOUNT_BASE_BYTES + dataLength(loaded);
  }
  return size;
}

function programDataOf(program: Account): Address | null {
  const known = knownProgramData.get(program);
  if (known !== undefined) return known;
  const address = programDataAddress(leadingData(program, PROGRAM_BYTES));
  knownProgramData.set(program, address);
  return address;
}

/** Where the code of an upgradeable program is; null when the account is no program. */
export function programDataAddress(data: Uint8Array): Address | null {
  if (data.length < PROGRAM_BYTES || data[0] !== PROGRAM_TAG) return null;
  return internAddress(data.subarray(4, PROGRAM_BYTES));
}
