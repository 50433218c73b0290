/**
 * Timeout and interval of `vi.waitFor` in tests, ms. The default of one second is too short on a busy
 * machine.
 */
export const PATIENCE = { timeout: 60_000, interval: 25 } as const;
