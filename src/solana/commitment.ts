/** The commitments of Solana. On a one-node ledger all three have the same head. */
export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

export type Commitment = (typeof COMMITMENTS)[number];

/**
 * The commitment at which transactions are built and count as landed. Confirmed blocks have the votes of two
 * thirds of the stake, and none has ever been reverted. With Alpenglow (SIMD-0326) one certificate confirms
 * and finalizes a block. The hosted Private Payments API uses this commitment too.
 */
export const LASTING: Commitment = 'confirmed';

/** Whether a transaction seen at a commitment has landed permanently. */
export const isLasting = (seen: Commitment): boolean => seen !== 'processed';
