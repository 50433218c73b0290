import type { Address } from '../../../solana/address.ts';
import { showParsedInstruction } from '../parse-instruction.ts';
import { requireSorted } from './parse-state.ts';

/**
 * What is shown of an instruction with these accounts: its `parsed` member, or 'not parsed'. For programs
 * that look at the addresses they are given. Fails when members do not come in the order of their names.
 */
export function parseNamed(
  programId: Address,
  accounts: readonly Address[],
  data: ArrayLike<number>,
): unknown {
  const instruction = {
    programIdIndex: accounts.length,
    accounts: Uint8Array.from(accounts.keys()),
    data: Uint8Array.from(data),
  };
  const shown = showParsedInstruction(instruction, [...accounts, programId], 1);
  requireSorted(shown);
  return 'parsed' in shown ? shown['parsed'] : 'not parsed';
}
