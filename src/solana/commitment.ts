/** How settled an answer must be. On a one-node ledger all three name the same head. */
export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

export type Commitment = (typeof COMMITMENTS)[number];

/**
 * What is asked for by all that builds on a ledger or says that something has landed: such blocks have the
 * votes of two thirds of the stake, and none was ever taken back. With Alpenglow (SIMD-0326) one certificate
 * confirms and finalizes a block. The hosted Private Payments API builds on them too.
 */
export const LASTING: Commitment = 'confirmed';

/** Whether a transaction that was seen at a commitment has landed for good. */
export const isLasting = (seen: Commitment): boolean => seen !== 'processed';
