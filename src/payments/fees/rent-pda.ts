import { deriveRentPda } from '../../programs/ephemeral-token/pdas.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';

/** The account of layout B that pays the rents of shuttles. */
export const RENT_PDA = deriveRentPda().address;

/** Lamports the rent PDA is topped up to before native SOL goes through a shuttle (hosted API). */
export const RENT_PDA_TARGET_LAMPORTS = 20_000_000n;

/** What the payer of a shuttle gives the rent PDA (ephemeral SPL token program, tags 24 to 26). */
export const SHUTTLE_FEE_LAMPORTS = 500_000n;

/**
 * Lamports below which the rent PDA may fail to pay for one more shuttle. A shuttle takes 10.7 to 12.4 million
 * (measured on the program: the actions in its delegation record decide), and an account that pays must stay exempt
 * from rent itself.
 */
export const RENT_PDA_LOW_LAMPORTS = 12_500_000n + rentExemptMinimum(0);
