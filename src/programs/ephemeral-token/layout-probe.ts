import { EPHEMERAL_TOKEN_PROGRAM } from '../addresses.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { Layout } from './layout.ts';
import { INTERNAL_TABLE } from './table/internal.ts';

/** What layout A answers to a tag that it does not have: a custom error. Found by running it. */
const NO_SUCH_TAG_A = 0;

/** What layout B answers to an instruction that names too few accounts. Found by running it. */
const TOO_FEW_ACCOUNTS_B = 'NotEnoughAccountKeys';

/** An instruction of layout B without its accounts: both layouts refuse it, each in its own way. */
export const LAYOUT_PROBE: Instruction = {
  programId: EPHEMERAL_TOKEN_PROGRAM,
  accounts: [],
  data: Uint8Array.of(INTERNAL_TABLE.payQueued.tag),
};

/**
 * The layout of the program that has answered {@link LAYOUT_PROBE}.
 *
 * @param error Solana's TransactionError as JSON, where the probe was the only instruction.
 * @returns null for whatever neither layout answers.
 */
export function layoutOfAnswer(error: unknown): Layout | null {
  const { InstructionError } = (error ?? {}) as { readonly InstructionError?: unknown };
  if (!Array.isArray(InstructionError)) return null;
  const detail: unknown = InstructionError[1];
  if (detail === TOO_FEW_ACCOUNTS_B) return 'b';
  return (detail as { readonly Custom?: unknown } | null)?.Custom === NO_SUCH_TAG_A ? 'a' : null;
}
