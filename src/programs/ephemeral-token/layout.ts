/** Which form of the ephemeral SPL token program a chain runs: A is that of January 2026, B what is deployed since. */
export type Layout = 'a' | 'b';
