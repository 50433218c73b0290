import { ServiceError } from '../../errors/service-error.ts';
import { areOfPackage } from './ledger-programs.ts';
import { differingPrograms, type ProgramDumps } from './program-set.ts';
import type { GivenPrograms } from './obtain-programs.ts';

/**
 * Requires that a kept ledger can be given other programs than those it runs, and that this is wanted.
 *
 * @param present what the ledger runs; null where it does not have all programs.
 * @throws {ServiceError} PROVISION_INVALID saying why not, and what to do instead.
 */
export function assertUpgradeable(
  present: ProgramDumps | null,
  { dumps, nameOf }: GivenPrograms,
  isWanted: boolean,
): void {
  const begin = 'Begin a new ledger (--reset, or another folder with --ledger)';
  if (present === null) {
    throw refusal(
      `The kept ledger was begun without the programs of private payments. ${begin} to have them.`,
    );
  }
  if (areOfPackage(present)) {
    // An account of layout A is not what a program of layout B takes for one: 72 bytes instead of 80, a vault
    // of 32 bytes instead of 65. Tokens that lie in them could not be withdrawn any more.
    throw refusal(
      `The kept ledger has the programs of layout A, and --programs gives those of layout B, which cannot read the accounts that were made before. ${begin} to have them, or leave --programs (LOCALNET_PROGRAMS) out.`,
    );
  }
  if (isWanted) return;
  const others = differingPrograms(dumps, present).map(nameOf).join(', ');
  throw refusal(
    `The kept ledger has other programs than --programs (LOCALNET_PROGRAMS) gives: ${others}. Deploy these on it with --upgrade-programs, or begin a new ledger with --reset.`,
  );
}

const refusal = (message: string): ServiceError => new ServiceError('PROVISION_INVALID', message);
