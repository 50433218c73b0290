/** Timeout and interval of `vi.waitFor`, in ms. Its default of a second is too short on a busy machine. */
export const PATIENCE = { timeout: 60_000, interval: 25 } as const;
