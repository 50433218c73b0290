/**
 * The version of the ephemeral SPL token program on a chain: A is that of January 2026, B the one deployed
 * since.
 */
export type Layout = 'a' | 'b';
