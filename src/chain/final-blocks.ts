/**
 * Blocks to wait after the last valid block height before a missing status counts. A block with 31 blocks on
 * top is final (Agave `MAX_LOCKOUT_HISTORY`), and a node can lag by the same number.
 */
export const FINAL_BLOCKS = 32;
