/**
 * Lamports a byte of account data costs (rent sysvar since SIMD-0194: 6960 lamports per byte, threshold 1.0).
 */
export const LAMPORTS_PER_BYTE = 6_960n;

/** Bytes that every account is charged for besides its data (Agave `ACCOUNT_STORAGE_OVERHEAD`). */
const ACCOUNT_STORAGE_OVERHEAD = 128n;

/** Lamports an account with `dataBytes` bytes of data must hold to be exempt from rent. */
export function rentExemptMinimum(dataBytes: number | bigint): bigint {
  return (ACCOUNT_STORAGE_OVERHEAD + BigInt(dataBytes)) * LAMPORTS_PER_BYTE;
}
