/** Largest range of slots per answer (Agave `MAX_GET_CONFIRMED_BLOCKS_RANGE`). */
export const BLOCKS_RANGE_MAX = 500_000n;
