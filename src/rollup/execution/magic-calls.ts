import type { Execution } from '../../ledger/execution.ts';
import { MAGIC_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';

/** A call of the Magic program by another program. */
export interface MagicProgramCall {
  /** Index of the top-level instruction it happened in. */
  readonly instructionIndex: number;
  /** The program that called, one level up the stack. */
  readonly caller: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
}

/**
 * What programs asked of the Magic program in a run, in order. What a transaction asks of it itself is not
 * among it.
 */
export function findMagicCalls(
  transaction: Transaction,
  addresses: readonly Address[],
  { innerInstructions }: Pick<Execution, 'innerInstructions'>,
): MagicProgramCall[] {
  const calls: MagicProgramCall[] = [];
  for (const { index, instructions } of innerInstructions) {
    /** The program running at each height, the top level first. */
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
