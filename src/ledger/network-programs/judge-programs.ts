import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { programAccounts } from '../genesis/program-accounts.ts';
import { askPrograms } from '../provision/dry-run.ts';
import type { ProgramCall } from '../provision/scratch-steps.ts';
import type { InstructionErrorDetail, TransactionError } from '../transaction-error.ts';
import { NETWORK_PROGRAMS, type NameOfProgram, type ProgramDumps } from './program-set.ts';

/** An ability that layout B needs of a program, and how its answer to a call shows that it lacks it. */
interface Ability {
  readonly call: ProgramCall;
  /** What is needed, as the object of a sentence. */
  readonly needed: string;
  readonly isLacking: (answer: TransactionError | null) => boolean;
}

/**
 * Custom errors of the ephemeral SPL token program for a tag that it does not have (layout A: 0, layout B:
 * 1).
 */
const NO_SUCH_TAG = [0, 1];
/** That of layout B for more accounts than the form of an instruction has that it knows. */
const TOO_MANY_ACCOUNTS = 6;

/** An instruction of the ephemeral SPL token program. */
const tokenAbility = (needed: string, data: readonly number[], accountCount: number): Ability => ({
  call: { address: EPHEMERAL_TOKEN_PROGRAM, data: Uint8Array.from(data), accountCount },
  needed,
  isLacking: (answer) => [...NO_SUCH_TAG, TOO_MANY_ACCOUNTS].includes(customCodeOf(answer) ?? -1),
});

/** An instruction whose program has discriminators of eight bytes (u64), called without accounts. */
const numberedAbility = (
  address: Address,
  needed: string,
  discriminator: number,
  args: readonly number[],
  unknown: readonly string[],
): Ability => ({
  call: { address, data: Uint8Array.of(discriminator, 0, 0, 0, 0, 0, 0, 0, ...args), accountCount: 0 },
  needed,
  isLacking: (answer) => unknown.includes(String(detailOf(answer))),
});

/**
 * Answers of the permission program to a discriminator that it does not have: of the version of January 2026,
 * and of those since.
 */
const UNKNOWN_TO_PERMISSION = ['BorshIoError', 'InvalidInstructionData'];
/** That of the delegation program. */
const UNKNOWN_TO_DELEGATION = ['InvalidInstructionData'];

/**
 * What layout B takes of each program. All calls fail, as they name no accounts of their own; only how they
 * fail tells whether the program has the instruction. The answers were found by running both versions.
 */
const ABILITIES: readonly Ability[] = [
  tokenAbility('initTransferQueue with 16 accounts (tag 12)', [12], 16),
  tokenAbility('queueTransfer with 14 accounts (tag 16)', [16, ...new Uint8Array(31)], 14),
  tokenAbility('private transfer by a shuttle (tag 25)', [25], 19),
  tokenAbility('payout of a queued transfer (tag 202)', [202], 0),
  numberedAbility(DELEGATION_PROGRAM, 'CallHandlerV2 (20)', 20, [], UNKNOWN_TO_DELEGATION),
  numberedAbility(DELEGATION_PROGRAM, 'DelegateWithActions (23)', 23, [], UNKNOWN_TO_DELEGATION),
  numberedAbility(DELEGATION_PROGRAM, 'InitMagicFeeVault (24)', 24, [], UNKNOWN_TO_DELEGATION),
  numberedAbility(PERMISSION_PROGRAM, 'ephemeral permissions (6)', 6, [0], UNKNOWN_TO_PERMISSION),
  numberedAbility(PERMISSION_PROGRAM, 'closing of ephemeral permissions (8)', 8, [], UNKNOWN_TO_PERMISSION),
];

/** The engine's answer to a call of a program whose code did not load. */
const NOT_LOADED = 'UnsupportedProgramId';

/** A program that does not fit, and why. */
interface Misfit {
  readonly program: Address;
  /** What it lacks, as the object of "has no". */
  readonly lacks: string;
}

/**
 * Tries programs in an engine that is thrown away, and answers those that do not have what layout B needs;
 * none where all fit. What they are is told by what they answer, and not by their hashes: the networks deploy
 * new versions.
 *
 * @throws {ServiceError} PROVISION_INVALID naming a program that the engine cannot load, SERVICE_BUSY.
 */
export async function findMisfits(
  dumps: ProgramDumps,
  nameOf: NameOfProgram = (program) => program,
): Promise<readonly Misfit[]> {
  const entries = [...dumps].flatMap(([program, code]) => programAccounts(program, code));
  const answers = await askPrograms(
    entries,
    ABILITIES.map(({ call }) => call),
    nameOf,
  );
  return ABILITIES.flatMap(({ call, needed, isLacking }, index) => {
    const answer = answers[index] ?? null;
    if (detailOf(answer) === NOT_LOADED) throw notCallable(nameOf(call.address), call.address);
    return isLacking(answer) ? [{ program: call.address, lacks: needed }] : [];
  });
}

function notCallable(name: string, program: Address): ServiceError {
  return new ServiceError(
    'PROVISION_INVALID',
    `${name} cannot be called: the engine does not load its code`,
    { account: program },
  );
}

/**
 * Requires that all programs have what layout B needs.
 *
 * @throws {ServiceError} PROVISION_INVALID naming each program that does not, with what it lacks; and as
 *   {@link findMisfits}.
 */
export async function requireLayoutB(dumps: ProgramDumps, nameOf: NameOfProgram): Promise<void> {
  const misfits = await findMisfits(dumps, nameOf);
  if (misfits.length === 0) return;
  const programs = [...new Set(misfits.map(({ program }) => program))];
  const lines = programs.map((each) => {
    const lacks = misfits.filter(({ program }) => program === each).map(({ lacks: what }) => what);
    return `${nameOf(each)} is of an older version: it has no ${lacks.join(', no ')}.`;
  });
  const mend =
    programs.length === NETWORK_PROGRAMS.length
      ? 'These are the programs of layout A: localnet has them by itself where --programs (LOCALNET_PROGRAMS) is left out.'
      : 'All three programs have to be of the version that the networks run.';
  throw new ServiceError('PROVISION_INVALID', [...lines, mend].join('\n'), { programs });
}

/** Why the instruction failed; null where it did not, or something else did. */
function detailOf(answer: TransactionError | null): InstructionErrorDetail | null {
  const isOfInstruction = answer !== null && typeof answer === 'object' && 'InstructionError' in answer;
  return isOfInstruction ? answer.InstructionError[1] : null;
}

function customCodeOf(answer: TransactionError | null): number | null {
  const detail = detailOf(answer);
  return detail !== null && typeof detail === 'object' ? detail.Custom : null;
}
