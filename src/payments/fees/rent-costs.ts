import { rentExemptMinimum } from '../../solana/rent.ts';

/**
 * The rent of accounts with these data sizes (bytes) plus `others` (fees, transfers), lamports. Accounts that
 * a program creates and closes within the transaction are extra.
 */
export function sumLamports(createdBytes: readonly number[], ...others: readonly bigint[]): bigint {
  const rents = createdBytes.map(rentExemptMinimum);
  return [...rents, ...others].reduce((sum, lamports) => sum + lamports, 0n);
}
