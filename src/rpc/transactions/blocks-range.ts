/** Most slots between the first and the last block of one answer (Agave `MAX_GET_CONFIRMED_BLOCKS_RANGE`). */
export const BLOCKS_RANGE_MAX = 500_000n;
