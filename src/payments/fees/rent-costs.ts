import { ServiceError } from '../../errors/service-error.ts';
import { decodeRent } from '../../programs/rent.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import type { Rent } from '../../solana/rent.ts';

/**
 * The rent of the cluster, from its sysvar.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE.
 */
export function requireRent(sysvar: Account | null): Rent {
  const rent = decodeRent(sysvar);
  if (rent !== null) return rent;
  throw new ServiceError(
    'ACCOUNT_UNREADABLE',
    `The sysvar ${RENT_SYSVAR}, which tells what accounts cost, cannot be read`,
    { account: RENT_SYSVAR },
  );
}

/**
 * The rent of accounts with these data sizes (bytes) plus `others` (fees, transfers), lamports. Accounts that
 * a program creates and closes within the transaction are extra.
 */
export function sumLamports(
  rent: Rent,
  createdBytes: readonly number[],
  ...others: readonly bigint[]
): bigint {
  const rents = createdBytes.map((bytes) => rent.minimum(bytes));
  return [...rents, ...others].reduce((sum, lamports) => sum + lamports, 0n);
}
