/**
 * Blocks to wait after the last valid block height before a missing status counts. A block with 31 blocks on
 * top is final (Agave `MAX_LOCKOUT_HISTORY`), and a node can lag by the same number.
 */
export const FINAL_BLOCKS = 32;

/** {@link FINAL_BLOCKS} for a rollup. Its blocks take 50 ms, not 400, but its nodes can lag equally long. */
export const ROLLUP_FINAL_BLOCKS = 8 * FINAL_BLOCKS;
