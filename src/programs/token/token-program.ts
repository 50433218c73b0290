import type { Address } from '../../solana/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../addresses.ts';

/**
 * Whether a program is a token program, whose accounts are mints and token accounts (Agave
 * `is_known_spl_token_id`).
 */
export function isTokenProgram(program: Address | null | undefined): program is Address {
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
}
