/**
 * Blocks for which a blockhash is good: a minute's worth, as MagicBlock's validator answers
 * getLatestBlockhash.
 */
export const ROLLUP_BLOCKHASH_AGE_MAX = 1_200;
