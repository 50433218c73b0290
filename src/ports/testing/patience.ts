/**
 * How long a test waits with `vi.waitFor` for what comes by itself, ms: a second, which is the default, is
 * less than a busy machine takes.
 */
export const PATIENCE = { timeout: 60_000, interval: 25 } as const;
