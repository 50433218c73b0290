import type { Execution } from '../../ledger/execution.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';
import { MAGIC_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { viewOf } from '../../solana/view-of.ts';

/** What the Magic program answers to an instruction it refuses (Agave `InstructionError`). */
type MagicFault = 'InvalidInstructionData' | 'IncorrectProgramId' | 'MissingRequiredSignature';

/** `MagicBlockInstruction` (u32) of magicblock-validator 0.14.10. */
const SCHEDULE_TASK = 6;
const SCHEDULE_INTENT_BUNDLE = 11;
const UNUSED = 15;
const LAST = 25;

/**
 * Tags that only a program may send: commits (1, 2), intents (5, 11) and callbacks (23) are those of its
 * caller.
 */
const OF_PROGRAMS: ReadonlySet<number> = new Set([1, 2, 5, SCHEDULE_INTENT_BUNDLE, 23]);

/** Create, resize and close an ephemeral account, which belongs to the calling program. */
const OF_EPHEMERAL_ACCOUNTS: ReadonlySet<number> = new Set([12, 13, 14]);

/** What the validator sends: cloned accounts, what became of commits, its own switches. */
const OF_VALIDATOR: ReadonlySet<number> = new Set([0, 3, 4, 8, 9, 16, 17, 18, 19, 20, 21, 22, 24, LAST]);

/** An interval is below this, ms (`u32::MAX`). */
const INTERVAL_END = 0xffff_ffffn;

/**
 * Why the Magic program would refuse an instruction that a transaction itself has: they are checked before
 * anything runs, as the program that runs in its place refuses nothing. Null when it would not.
 *
 * @param validator may send all.
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

/** The same of the calls that programs made in a run. Which of them may call is not looked at. */
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

/** The tag; one that there is not when the data is too short for it. */
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

/** `MagicIntentBundleArgs`: four Options, a byte each when they are none, and a Vec (u64 length first). */
function isEmptyBundle(data: Uint8Array): boolean {
  return data.length < 16 || data.subarray(4, 16).every((byte) => byte === 0);
}
