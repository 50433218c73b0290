import type { Address } from '../../../solana/address.ts';
import { showParsedInstruction } from '../parse-instruction.ts';
import { requireSorted } from './parse-state.ts';

/**
 * Returns the `parsed` member of an instruction with these accounts, or 'not parsed'. It throws if members
 * are not sorted by name. Use it for programs that check addresses.
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
