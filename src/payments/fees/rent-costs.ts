import { rentExemptMinimum } from '../../solana/rent.ts';

/**
 * Lamports that creating accounts of these sizes (bytes) takes for rent, together with `others` (fees, transfers). What a
 * program creates and closes again within the transaction comes on top.
 */
export function sumLamports(createdBytes: readonly number[], ...others: readonly bigint[]): bigint {
  const rents = createdBytes.map(rentExemptMinimum);
  return [...rents, ...others].reduce((sum, lamports) => sum + lamports, 0n);
}
