import {
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  NATIVE_LOADER,
  SYSVAR_OWNER,
} from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountEntry } from '../genesis/genesis.ts';

/** Owners whose accounts the engine parses as soon as they are set: programs, code, sysvars. */
const READ_BY_ENGINE: ReadonlySet<Address> = new Set([
  NATIVE_LOADER,
  'BPFLoader1111111111111111111111111111111111' as Address,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  'LoaderV411111111111111111111111111111111111' as Address,
  SYSVAR_OWNER,
]);

/**
 * Whether bad data in the account could abort the process, so that it must be tried in a scratch process
 * first.
 */
export function needsDryRun([address, { owner, executable }]: AccountEntry): boolean {
  return executable || READ_BY_ENGINE.has(owner) || address.startsWith('Sysvar');
}

/** The entries in the order the engine needs: programs after their ProgramData. */
export function inEngineOrder(entries: readonly AccountEntry[]): AccountEntry[] {
  const isProgram = ([, { executable }]: AccountEntry): boolean => executable;
  return [...entries.filter((entry) => !isProgram(entry)), ...entries.filter(isProgram)];
}
