import { ServiceError } from '../errors/service-error.ts';
import { BPF_LOADER_2, BPF_LOADER_UPGRADEABLE, NATIVE_LOADER } from '../programs/addresses.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { LAMPORTS_MAX } from './run/fee.ts';
import { programDataAddress } from './run/loaded-data-size.ts';
import type { AccountState } from './state/account-state.ts';

/** Bytes an account can hold (Agave `MAX_PERMITTED_DATA_LENGTH`); the engine ends its process over more. */
export const DATA_BYTES_MAX = 10 * 1024 * 1024;

/** Owners of programs that the engine can run. */
export const LOADERS: ReadonlySet<string> = new Set([
  NATIVE_LOADER,
  'BPFLoader1111111111111111111111111111111111',
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
]);

/** The engine takes programs of it, and ends its process when one is called. */
const LOADER_V4 = 'LoaderV411111111111111111111111111111111111';

/**
 * Checks that accounts can be put in place as an operator wants them, as far as that can be told without
 * trying: what passes neither ends the engine's process nor is overwritten by the ledger. Whether the code of
 * a program loads can only be tried.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS naming the first account that cannot.
 */
export function assertSettable(
  entries: readonly (readonly [Address, Account])[],
  accounts: Pick<AccountState, 'get' | 'totalLamports' | 'lamportsCeiling'>,
): void {
  const set = new Map<Address, Account>();
  const present = (address: Address): Account | undefined => set.get(address) ?? accounts.get(address);
  let added = 0n;
  // A rollup has to look at all of its accounts for the exact sum.
  const areTooMany = (): boolean =>
    accounts.lamportsCeiling + added > LAMPORTS_MAX && accounts.totalLamports + added > LAMPORTS_MAX;
  for (const [address, after] of entries) {
    const before = present(address);
    added += after.lamports - (before?.lamports ?? 0n);
    const fault =
      formFault(address, after) ??
      programFault(before, after, present) ??
      (areTooMany() ? 'all lamports together would be more than a u64' : null);
    if (fault !== null) {
      throw new ServiceError('INVALID_ARGUMENTS', `${address} cannot be set: ${fault}`, { address });
    }
    set.set(address, after);
  }
}

function formFault(address: Address, { lamports, rentEpoch, data }: Account): string | null {
  // No key but those of sysvars can be found to begin so.
  if (address.startsWith('Sysvar')) return 'it is a sysvar, which the ledger itself keeps';
  if (lamports < 0n || lamports > LAMPORTS_MAX) return 'its lamports are not a u64';
  if (rentEpoch < 0n || rentEpoch > RENT_EXEMPT_EPOCH) return 'its rent epoch is not a u64';
  return data.length > DATA_BYTES_MAX ? `its data is longer than ${DATA_BYTES_MAX} bytes` : null;
}

function programFault(
  before: Account | undefined,
  after: Account,
  present: (address: Address) => Account | undefined,
): string | null {
  // The engine keeps the code of a program, and ends its process when the account behind it is gone.
  const isKept = after.executable && after.lamports > 0n;
  if (before?.executable === true && !isKept) return 'it is a program and has to stay one';
  if (!after.executable) return null;
  if (!isKept) return 'it is executable and has no lamports';
  if (after.owner === LOADER_V4) return 'it belongs to loader v4, whose programs the engine cannot run';
  if (!LOADERS.has(after.owner)) return 'it is executable and belongs to no loader';
  if (after.owner !== BPF_LOADER_UPGRADEABLE) return null;
  const programData = programDataAddress(after.data);
  if (programData === null) return 'its data names no ProgramData';
  return present(programData) === undefined ? `its ProgramData ${programData} is missing` : null;
}
