import { ServiceError } from '../errors/service-error.ts';
import { BPF_LOADER_UPGRADEABLE } from '../programs/addresses.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { LOADER_V4, LOADERS } from './engine/engine.ts';
import { isProgramData, programDataOf } from './genesis/program-accounts.ts';
import { LAMPORTS_MAX } from './run/fee.ts';
import type { AccountState } from './state/accounts.ts';

/** Maximum account data, in bytes (Agave `MAX_PERMITTED_DATA_LENGTH`). More data aborts the engine. */
export const DATA_BYTES_MAX = 10 * 1024 * 1024;

/**
 * Checks accounts that an operator sets, without the engine. Rejects accounts that would abort the engine,
 * and those that the ledger overwrites. Does not check whether the code of a program loads.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS naming the first account that cannot be set.
 */
export function assertSettable(
  entries: readonly (readonly [Address, Account])[],
  accounts: Pick<AccountState, 'get' | 'totalLamports' | 'lamportsCeiling'>,
): void {
  const set = new Map<Address, Account>();
  const present = (address: Address): Account | undefined => set.get(address) ?? accounts.get(address);
  let added = 0n;
  // Checks the cheap upper bound first, because a rollup iterates all its accounts for the exact sum.
  const areTooMany = (): boolean =>
    accounts.lamportsCeiling + added > LAMPORTS_MAX && accounts.totalLamports + added > LAMPORTS_MAX;
  for (const [address, after] of entries) {
    const before = present(address);
    added += after.lamports - (before?.lamports ?? 0n);
    const fault =
      formFault(address, after) ??
      programFault(before, after, present) ??
      (areTooMany() ? 'the total of all lamports would not fit into a u64' : null);
    if (fault !== null) {
      throw new ServiceError('INVALID_ARGUMENTS', `${address} cannot be set: ${fault}`, { address });
    }
    set.set(address, after);
  }
}

function formFault(address: Address, { lamports, rentEpoch, data }: Account): string | null {
  // Only sysvars have this prefix, because no one can find a key pair for such an address.
  if (address.startsWith('Sysvar')) return 'it is a sysvar, which the ledger sets itself';
  if (lamports < 0n || lamports > LAMPORTS_MAX) return 'its lamports do not fit into a u64';
  if (rentEpoch < 0n || rentEpoch > RENT_EXEMPT_EPOCH) return 'its rent epoch does not fit into a u64';
  return data.length > DATA_BYTES_MAX ? `its data is longer than ${DATA_BYTES_MAX} bytes` : null;
}

function programFault(
  before: Account | undefined,
  after: Account,
  present: (address: Address) => Account | undefined,
): string | null {
  // The engine caches the code of a program, and aborts the process if the account is missing.
  const remains = after.executable && after.lamports > 0n;
  if (before?.executable === true && !remains) return 'it is a program and must stay one';
  if (!after.executable) return null;
  if (!remains) return 'it is executable and has no lamports';
  // The engine rejects every transaction that names the program of this code.
  if (before !== undefined && isProgramData(before))
    return 'it has the code of a program and cannot become one';
  if (after.owner === LOADER_V4) return 'it belongs to loader v4, whose programs the engine cannot run';
  if (!LOADERS.has(after.owner)) return 'it is executable, but its owner is not a loader';
  if (after.owner !== BPF_LOADER_UPGRADEABLE) return null;
  const programData = programDataOf(after);
  if (programData === null) return 'its data names no ProgramData';
  return present(programData) === undefined ? `its ProgramData ${programData} is missing` : null;
}
