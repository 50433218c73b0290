/** How settled an answer must be. On a one-node ledger all three name the same head. */
export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

export type Commitment = (typeof COMMITMENTS)[number];
