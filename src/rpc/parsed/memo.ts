import { MEMO_PROGRAM, MEMO_PROGRAM_V1 } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { InstructionCall } from './instruction-call.ts';

/** The addresses of the Memo program. The last one is its version 4 (`spl-memo-interface`). */
export const MEMO_PROGRAMS: readonly Address[] = [
  MEMO_PROGRAM_V1,
  MEMO_PROGRAM,
  'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH' as Address,
];

/**
 * A memo: the data is its text.
 *
 * @throws {Unparsable} if it is not UTF-8.
 */
export function parseMemo(call: InstructionCall): string {
  return call.text(call.remaining);
}
