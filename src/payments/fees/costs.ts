import { ServiceError } from '../../errors/service-error.ts';
import { deriveRentPda } from '../../programs/ephemeral-token/pdas.ts';
import { decodeRent, RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Account, Rent } from '../../solana/account.ts';

/**
 * Reads the cluster's rent from its sysvar.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE.
 */
export function requireRent(sysvar: Account | null): Rent {
  const rent = decodeRent(sysvar);
  if (rent !== null) return rent;
  throw new ServiceError(
    'ACCOUNT_UNREADABLE',
    `The sysvar ${RENT_SYSVAR}, which contains the price of accounts, cannot be read; try again, or ask the operator to check the RPC URLs`,
    { account: RENT_SYSVAR },
  );
}

/**
 * Sums the rent of accounts with these data sizes (bytes) and `others` (fees, transfers), in lamports.
 * Accounts that a program creates and closes within the transaction are extra.
 */
export function sumLamports(
  rent: Rent,
  createdBytes: readonly number[],
  ...others: readonly bigint[]
): bigint {
  const rents = createdBytes.map((bytes) => rent.minimum(bytes));
  return [...rents, ...others].reduce((sum, lamports) => sum + lamports, 0n);
}

/** Account that pays the rent for shuttles (layout B only). */
export const RENT_PDA = deriveRentPda().address;

/** Lamports that the hosted API gives the rent PDA to set up a mint, and its target for native SOL. */
export const RENT_PDA_TARGET_LAMPORTS = 20_000_000n;

/**
 * Computes the target balance of the rent PDA for a shuttle of native SOL: the hosted API's amount, recorded
 * at a rent of 6,960 lamports a byte, in proportion to the cluster's rent.
 */
export const rentPdaTarget = ({ lamportsPerByte }: Rent): bigint =>
  (RENT_PDA_TARGET_LAMPORTS * lamportsPerByte) / 6_960n;

/** Fee of a shuttle, paid to the rent PDA, in lamports (ephemeral SPL token program, tags 24 to 26). */
export const SHUTTLE_FEE_LAMPORTS = 500_000n;

/**
 * Minimum and maximum that the rent PDA pays for a shuttle, as bytes of accounts with their overhead. The
 * amount depends on the actions in the delegation record, which are longer with a sponsor, and on the size of
 * the mint's token accounts. Measured on the program as 10.7 to 12.9 million lamports at 6,960 a byte.
 */
const SHUTTLE_BYTES_MIN = 10_700_000n / 6_960n;
const SHUTTLE_BYTES_MAX = 12_900_000n / 6_960n + 1n;

/** Returns the minimum balance for the cheapest shuttle, in lamports. The PDA must stay rent-exempt. */
export const rentPdaSpent = (rent: Rent): bigint =>
  SHUTTLE_BYTES_MIN * rent.lamportsPerByte + rent.minimum(0);

/** Returns the minimum balance for the most expensive shuttle, in lamports. */
export const rentPdaLow = (rent: Rent): bigint => SHUTTLE_BYTES_MAX * rent.lamportsPerByte + rent.minimum(0);
