/**
 * Lamports a signature costs (Agave `DEFAULT_TARGET_LAMPORTS_PER_SIGNATURE` / 2, the default of
 * `FeeStructure`).
 */
export const LAMPORTS_PER_SIGNATURE = 5_000n;
