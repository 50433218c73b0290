import type { Instruction } from '../../solana/instruction.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../addresses.ts';
import { INTERNAL_TABLE } from './table/internal.ts';

/** Version of the ephemeral SPL token program. A is from January 2026; B has replaced it since then. */
export type Layout = 'a' | 'b';

/** Custom error of layout A for an unknown tag (measured). */
const NO_SUCH_TAG_A = 0;

/** Error of layout B for too few accounts (measured). */
const TOO_FEW_ACCOUNTS_B = 'NotEnoughAccountKeys';

/** An instruction of layout B without its accounts. Each layout rejects it with a different error. */
export const LAYOUT_PROBE: Instruction = {
  programId: EPHEMERAL_TOKEN_PROGRAM,
  accounts: [],
  data: Uint8Array.of(INTERNAL_TABLE.payQueued.tag),
};

/**
 * Returns the layout of the program that ran {@link LAYOUT_PROBE}.
 *
 * @param error Solana's TransactionError as JSON, with the probe as the only instruction.
 * @returns null for an error that neither layout returns.
 */
export function layoutOfAnswer(error: unknown): Layout | null {
  const { InstructionError } = (error ?? {}) as { readonly InstructionError?: unknown };
  if (!Array.isArray(InstructionError)) return null;
  const detail: unknown = InstructionError[1];
  if (detail === TOO_FEW_ACCOUNTS_B) return 'b';
  return (detail as { readonly Custom?: unknown } | null)?.Custom === NO_SUCH_TAG_A ? 'a' : null;
}
