import { deriveRentPda } from '../../programs/ephemeral-token/pdas.ts';
import type { Rent } from '../../solana/rent.ts';

/** The account of layout B that pays the rent of shuttles. */
export const RENT_PDA = deriveRentPda().address;

/** What the hosted API gives the rent PDA when it sets up a mint, and tops it up to for native SOL. */
export const RENT_PDA_TARGET_LAMPORTS = 20_000_000n;

/**
 * The balance the rent PDA is topped up to before native SOL goes through a shuttle: the hosted API's figure
 * at the rent it was recorded with, 6,960 lamports a byte, and in proportion to the cluster's.
 */
export const rentPdaTarget = ({ lamportsPerByte }: Rent): bigint =>
  (RENT_PDA_TARGET_LAMPORTS * lamportsPerByte) / 6_960n;

/** What the payer of a shuttle pays to the rent PDA (ephemeral SPL token program, tags 24 to 26). */
export const SHUTTLE_FEE_LAMPORTS = 500_000n;

/**
 * What the rent PDA pays for a shuttle, bytes of accounts with their overhead: the least, and the most. It
 * depends on the actions in the delegation record, which are longer with a sponsor, and on what the mint asks
 * of a token account. Measured on the program as 10.7 to 12.9 million lamports at 6,960 a byte.
 */
const SHUTTLE_BYTES_MIN = 10_700_000n / 6_960n;
const SHUTTLE_BYTES_MAX = 12_900_000n / 6_960n + 1n;

/** Below this balance the rent PDA, which must stay rent-exempt itself, pays for no shuttle, lamports. */
export const rentPdaSpent = (rent: Rent): bigint =>
  SHUTTLE_BYTES_MIN * rent.lamportsPerByte + rent.minimum(0);

/** Below this balance the rent PDA may be unable to pay for another shuttle, lamports. */
export const rentPdaLow = (rent: Rent): bigint => SHUTTLE_BYTES_MAX * rent.lamportsPerByte + rent.minimum(0);
