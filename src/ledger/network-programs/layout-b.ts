import type { Layout } from '../../chain/chain.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { programAccounts } from '../genesis/program-accounts.ts';
import { callPrograms, instructionErrorOf, isNotLoaded, type ProgramCall } from '../provision/dry-run.ts';
import type { TransactionError } from '../transaction-errors.ts';
import { areOfPackage, type NameOfProgram, NETWORK_PROGRAMS, type ProgramDumps } from './network-programs.ts';

/** An instruction that layout B needs, with a call that shows whether a program has it. */
interface Ability {
  readonly call: ProgramCall;
  /** Name of the instruction in sentences. */
  readonly needed: string;
  readonly isMissing: (answer: TransactionError | null) => boolean;
}

/** Custom errors of the ephemeral SPL token program for an unknown tag (layout A: 0, B: 1). */
const NO_SUCH_TAG = [0, 1];
/** Custom error of layout B if a call passes more accounts than an older instruction accepts. */
const TOO_MANY_ACCOUNTS = 6;

const tokenAbility = (needed: string, data: readonly number[], accountCount: number): Ability => ({
  call: { address: EPHEMERAL_TOKEN_PROGRAM, data: Uint8Array.from(data), accountCount },
  needed,
  isMissing: (answer) => [...NO_SUCH_TAG, TOO_MANY_ACCOUNTS].includes(customCodeOf(answer) ?? -1),
});

/** Describes an instruction with a u64 discriminator, called without accounts. */
const numberedAbility = (
  address: Address,
  needed: string,
  discriminator: number,
  args: readonly number[],
  unknown: readonly string[],
): Ability => ({
  call: { address, data: Uint8Array.of(discriminator, 0, 0, 0, 0, 0, 0, 0, ...args), accountCount: 0 },
  needed,
  isMissing: (answer) => unknown.includes(String(instructionErrorOf(answer))),
});

/** Errors of the permission program for an unknown discriminator, in its versions since January 2026. */
const UNKNOWN_TO_PERMISSION = ['BorshIoError', 'InvalidInstructionData'];
/** Error of the delegation program for an unknown discriminator. */
const UNKNOWN_TO_DELEGATION = ['InvalidInstructionData'];

/**
 * The instructions that layout B needs. All calls fail, because their accounts are unsuitable. The error
 * shows whether the program has the instruction. The errors were found by running both versions.
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

interface Misfit {
  readonly program: Address;
  /** The missing instruction, as the object of "has no". */
  readonly lacks: string;
}

/**
 * Calls programs in a separate engine, and returns those that lack an instruction of layout B. Programs are
 * recognized by their answers and not by their hashes, because the networks deploy new versions.
 *
 * @throws {ServiceError} PROVISION_INVALID naming a program that the engine cannot load.
 */
export function findMisfits(
  dumps: ProgramDumps,
  nameOf: NameOfProgram = (program) => program,
): readonly Misfit[] {
  const entries = [...dumps].flatMap(([program, code]) => programAccounts(program, code));
  const answers = callPrograms(
    entries,
    ABILITIES.map(({ call }) => call),
    nameOf,
  );
  return ABILITIES.flatMap(({ call, needed, isMissing }, index) => {
    const answer = answers[index] ?? null;
    if (isNotLoaded(answer)) throw notCallable(nameOf(call.address), call.address);
    return isMissing(answer) ? [{ program: call.address, lacks: needed }] : [];
  });
}

function notCallable(name: string, program: Address): ServiceError {
  return new ServiceError(
    'PROVISION_INVALID',
    `${name} cannot be called, because the engine cannot load its code; provide another build of the program`,
    { account: program },
  );
}

/**
 * Checks that all programs have the instructions of layout B.
 *
 * @throws {ServiceError} PROVISION_INVALID naming each program and its missing instructions, or an error of
 *   {@link findMisfits}.
 */
export function requireLayoutB(dumps: ProgramDumps, nameOf: NameOfProgram): void {
  const misfits = findMisfits(dumps, nameOf);
  if (misfits.length === 0) return;
  const programs = [...new Set(misfits.map(({ program }) => program))];
  const lines = programs.map((each) => {
    const lacks = misfits.filter(({ program }) => program === each).map(({ lacks: what }) => what);
    return `${nameOf(each)} is an older version: it has no ${lacks.join(', no ')}.`;
  });
  const fix =
    programs.length === NETWORK_PROGRAMS.length
      ? 'These are the programs of layout A: localnet has them already. Leave out --programs (LOCALNET_PROGRAMS).'
      : 'All three programs must be the versions that the networks run.';
  throw new ServiceError('PROVISION_INVALID', [...lines, fix].join('\n'), { programs });
}

/** Returns the layout of a ledger's programs. Programs that are not of layout B count as layout A. */
export function layoutOf(dumps: ProgramDumps): Layout {
  if (areOfPackage(dumps)) return 'a';
  try {
    return findMisfits(dumps).length === 0 ? 'b' : 'a';
  } catch (error) {
    if (isServiceError(error) && error.code === 'PROVISION_INVALID') return 'a';
    throw error;
  }
}

function customCodeOf(answer: TransactionError | null): number | null {
  const detail = instructionErrorOf(answer);
  return detail !== null && typeof detail === 'object' ? detail.Custom : null;
}

const START_NEW = 'Start a new ledger (--reset, or another folder with --ledger)';

/**
 * Checks that an existing ledger can be upgraded to other programs of layout B, and that the operator
 * requests it.
 *
 * @param layout the layout of its programs; null if it does not have all of them.
 * @param others the names of the programs that differ.
 * @throws {ServiceError} PROVISION_INVALID with the reason and a fix.
 */
export function assertUpgradeable(layout: Layout | null, others: readonly string[], isWanted: boolean): void {
  if (layout === null) {
    throw refusal(
      `The existing ledger was created without the programs of private payments. ${START_NEW} to use them.`,
    );
  }
  if (layout === 'a') {
    // Programs of layout B reject an eATA of 72 bytes (InvalidAccountData), so its tokens could no longer be
    // withdrawn.
    throw refusal(
      `The existing ledger has the programs of layout A. --programs specifies those of layout B, which cannot read its accounts. ${START_NEW} to use them, or leave out --programs (LOCALNET_PROGRAMS).`,
    );
  }
  if (isWanted) return;
  throw refusal(
    `Some programs of the existing ledger differ from --programs (LOCALNET_PROGRAMS): ${others.join(', ')}. Deploy them with --upgrade-programs, or start a new ledger with --reset.`,
  );
}

const refusal = (message: string): ServiceError => new ServiceError('PROVISION_INVALID', message);
