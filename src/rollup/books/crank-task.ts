import type { AccountView } from '../../ledger/state/account-state.ts';
import { concat, u32, u64, vec } from '../../programs/instruction-data.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { instructionField, readInstruction, readList } from './fields.ts';
import { type ItemType, readItem } from './item.ts';

/** Instructions that a program asked the rollup to run again and again. */
export interface CrankTask {
  /** i64, chosen by the program. */
  readonly taskId: bigint;
  /** Who may cancel it: for a transfer queue, the queue. */
  readonly authority: Address;
  readonly intervalMs: number;
  readonly iterationsLeft: bigint;
  readonly instructions: readonly Instruction[];
}

/** Fields: task id i64, authority 32, interval u32 ms, iterations left i64, instructions. */
export const TASK: ItemType<CrankTask> = {
  kind: 5,
  keyOf: ({ taskId }) => taskKey(taskId),
  sequenceOf: () => 0n,
  encode: ({ taskId, authority, intervalMs, iterationsLeft, instructions }) =>
    concat(
      taskKey(taskId),
      addressBytes(authority),
      u32(intervalMs),
      u64(BigInt.asUintN(64, iterationsLeft)),
      vec(instructions.map(instructionField)),
    ),
  decode: (reader) => ({
    taskId: reader.i64(),
    authority: reader.address(),
    intervalMs: reader.u32(),
    iterationsLeft: reader.i64(),
    instructions: readList(reader, () => readInstruction(reader)),
  }),
};

/** The task of an id; null where there is none. */
export function taskOf(accounts: Pick<AccountView, 'get'>, taskId: bigint): CrankTask | null {
  return readItem(TASK, accounts, taskKey(taskId));
}

/** What a task is found by. */
export function taskKey(taskId: bigint): Uint8Array {
  return u64(BigInt.asUintN(64, taskId));
}
