import type { Execution } from '../../ledger/ledger.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { MAGIC_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import type { Transaction } from '../../solana/transaction.ts';

/** A call of the Magic program by another program. */
export interface MagicProgramCall {
  /** Index of the top-level instruction that contains it. */
  readonly instructionIndex: number;
  /** The calling program, one level up the stack. */
  readonly caller: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
}

/**
 * Returns the calls that programs made to the Magic program in a run, in order. Top-level instructions of the
 * transaction are not included.
 */
export function findMagicCalls(
  transaction: Transaction,
  addresses: readonly Address[],
  { innerInstructions }: Pick<Execution, 'innerInstructions'>,
): MagicProgramCall[] {
  const calls: MagicProgramCall[] = [];
  for (const { index, instructions } of innerInstructions) {
    /** The program running at each stack height, top level first. */
    const programs = [addresses[transaction.instructions[index]?.programIdIndex as number]];
    for (const { programIdIndex, accounts, data, stackHeight } of instructions) {
      const program = addresses[programIdIndex];
      const caller = programs[stackHeight - 2];
      programs[stackHeight - 1] = program;
      if (program !== MAGIC_PROGRAM || caller === undefined) continue;
      const named = Array.from(accounts, (account) => addresses[account] as Address);
      calls.push({ instructionIndex: index, caller, accounts: named, data });
    }
  }
  return calls;
}

/** The Magic program's error for an instruction it rejects (Agave `InstructionError`). */
type MagicFault = 'InvalidInstructionData' | 'IncorrectProgramId' | 'MissingRequiredSignature';

/** `MagicBlockInstruction` (u32) of magicblock-validator 0.14.10. */
const SCHEDULE_TASK = 6;
const SCHEDULE_INTENT_BUNDLE = 11;
const UNUSED = 15;
const LAST = 25;

/**
 * Tags that only a program may send: commits (1, 2), intents (5, 11) and callbacks (23). They act for the
 * calling program.
 */
const OF_PROGRAMS: ReadonlySet<number> = new Set([1, 2, 5, SCHEDULE_INTENT_BUNDLE, 23]);

/** Tags that create, resize and close an ephemeral account of the calling program. */
const OF_EPHEMERAL_ACCOUNTS: ReadonlySet<number> = new Set([12, 13, 14]);

/** Tags that only the validator sends: cloned accounts, results of commits, its own switches. */
const OF_VALIDATOR: ReadonlySet<number> = new Set([0, 3, 4, 8, 9, 16, 17, 18, 19, 20, 21, 22, 24, LAST]);

/** Exclusive upper bound of an interval, ms (`u32::MAX`). */
const INTERVAL_END = 0xffff_ffffn;

/**
 * Returns the error with which the Magic program would reject a top-level instruction; null if it would not.
 * This is checked before the run, because the program that stands in for it accepts everything.
 *
 * @param validator may send every instruction.
 */
export function findMagicFault(
  { instructions, staticKeys, requiredSignatures }: Transaction,
  addresses: readonly Address[],
  validator: Address,
): TransactionError | null {
  const isValidators = staticKeys.slice(0, requiredSignatures).includes(validator);
  for (const [index, { programIdIndex, data }] of instructions.entries()) {
    if (addresses[programIdIndex] !== MAGIC_PROGRAM) continue;
    const fault = dataFault(data) ?? (isValidators ? null : senderFault(tagOf(data)));
    if (fault !== null) return { InstructionError: [index, fault] };
  }
  return null;
}

/**
 * As {@link findMagicFault}, for the calls that programs made in a run. Does not check which program calls.
 */
export function findMagicCallFault(
  { innerInstructions }: Pick<Execution, 'innerInstructions'>,
  addresses: readonly Address[],
): TransactionError | null {
  for (const { index, instructions } of innerInstructions) {
    for (const { programIdIndex, data } of instructions) {
      const fault = addresses[programIdIndex] === MAGIC_PROGRAM ? dataFault(data) : null;
      if (fault !== null) return { InstructionError: [index, fault] };
    }
  }
  return null;
}

function senderFault(tag: number): MagicFault | null {
  if (OF_PROGRAMS.has(tag)) return 'InvalidInstructionData';
  if (OF_EPHEMERAL_ACCOUNTS.has(tag)) return 'IncorrectProgramId';
  return OF_VALIDATOR.has(tag) ? 'MissingRequiredSignature' : null;
}

function dataFault(data: Uint8Array): MagicFault | null {
  const tag = tagOf(data);
  const isBad =
    tag > LAST ||
    tag === UNUSED ||
    (tag === SCHEDULE_TASK && !isTask(data)) ||
    (tag === SCHEDULE_INTENT_BUNDLE && isEmptyBundle(data));
  return isBad ? 'InvalidInstructionData' : null;
}

/** The tag; an unknown one if the data is too short. */
function tagOf(data: Uint8Array): number {
  return data.length < 4 ? LAST + 1 : viewOf(data).getUint32(0, true);
}

/** `ScheduleTaskArgs`: task id i64, interval i64 ms, iterations i64, instructions Vec (u64 length first). */
function isTask(data: Uint8Array): boolean {
  if (data.length < 36) return false;
  const view = viewOf(data);
  const intervalMs = view.getBigInt64(12, true);
  const iterations = view.getBigInt64(20, true);
  const instructionCount = view.getBigUint64(28, true);
  return intervalMs > 0n && intervalMs < INTERVAL_END && iterations > 0n && instructionCount > 0n;
}

/** `MagicIntentBundleArgs`: four Options, one byte each if they are none, and a Vec (u64 length first). */
function isEmptyBundle(data: Uint8Array): boolean {
  return data.length < 16 || data.subarray(4, 16).every((byte) => byte === 0);
}
