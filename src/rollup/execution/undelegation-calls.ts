import type { Execution } from '../../ledger/execution.ts';
import { EPHEMERAL_TOKEN_PROGRAM, MAGIC_CONTEXT, MAGIC_PROGRAM } from '../../programs/addresses.ts';
import { MAGIC_TABLE } from '../../programs/magic/table.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { viewOf } from '../../solana/view-of.ts';

/** The ephemeral token program asked the Magic program to give accounts back. */
export interface UndelegationCall {
  /** Index of the top-level instruction it happened in. */
  readonly instructionIndex: number;
  /** The wallet that asked; the program has made it sign. */
  readonly owner: Address;
  /** The ATAs that are meant. */
  readonly atas: readonly Address[];
}

/**
 * The requests for undelegation in a run. Accounts of the call: payer, Magic context, what is to be given
 * back. A call counts only when the ephemeral token program itself makes it, after its checks: anybody can
 * call the Magic program.
 */
export function findUndelegationCalls(
  transaction: Transaction,
  addresses: readonly Address[],
  { innerInstructions }: Pick<Execution, 'innerInstructions'>,
): UndelegationCall[] {
  const calls: UndelegationCall[] = [];
  for (const { index, instructions } of innerInstructions) {
    /** The program running at each height, the top level first. */
    const programs = [addresses[transaction.instructions[index]?.programIdIndex as number]];
    for (const { programIdIndex, accounts, data, stackHeight } of instructions) {
      const program = addresses[programIdIndex];
      const caller = programs[stackHeight - 2];
      programs[stackHeight - 1] = program;
      if (program !== MAGIC_PROGRAM || caller !== EPHEMERAL_TOKEN_PROGRAM || !isUndelegation(data)) continue;
      const [owner, context, ...atas] = Array.from(accounts, (account) => addresses[account] as Address);
      if (owner === undefined || context !== MAGIC_CONTEXT) continue;
      calls.push({ instructionIndex: index, owner, atas });
    }
  }
  return calls;
}

function isUndelegation(data: Uint8Array): boolean {
  if (data.length < 4) return false;
  const tag = viewOf(data).getUint32(0, true);
  return tag === MAGIC_TABLE.scheduleCommitAndUndelegate.tag;
}
