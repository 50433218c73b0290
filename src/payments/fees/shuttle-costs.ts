import { deriveRentPda } from '../../programs/ephemeral-token/pdas.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';

/** The account of layout B that pays the rent of shuttles. */
export const RENT_PDA = deriveRentPda().address;

/** The balance the rent PDA is topped up to before native SOL goes through a shuttle (hosted API). */
export const RENT_PDA_TARGET_LAMPORTS = 20_000_000n;

/** What the payer of a shuttle pays to the rent PDA (ephemeral SPL token program, tags 24 to 26). */
export const SHUTTLE_FEE_LAMPORTS = 500_000n;

/** What no shuttle takes less than, lamports, as measured on the program. */
const SHUTTLE_LAMPORTS_MIN = 10_700_000n;

/** Below this balance the rent PDA pays for no shuttle, lamports. */
export const RENT_PDA_SPENT_LAMPORTS = SHUTTLE_LAMPORTS_MIN + rentExemptMinimum(0);

/**
 * Below this balance the rent PDA may be unable to pay for another shuttle, lamports. A shuttle takes 10.7 to
 * 12.9 million (measured on the program: it depends on the actions in its delegation record, which are longer
 * with a sponsor, and on what the mint asks of a token account), and the rent PDA must remain rent-exempt
 * itself.
 */
export const RENT_PDA_LOW_LAMPORTS = 12_900_000n + rentExemptMinimum(0);
