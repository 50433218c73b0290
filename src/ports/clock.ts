/** The source of time. Tests inject their own. */
export interface Clock {
  /** Returns the wall time in ms since the Unix epoch. */
  now(): number;
  /** Returns the monotonic time in ms since an arbitrary moment. Optional. */
  steady?(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now(), steady: () => performance.now() };

/** Formats Unix ms as RFC 3339 in UTC. Later times sort after earlier ones. */
export function formatTime(ms: number): string {
  // oxlint-disable-next-line no-restricted-globals -- formats a date and reads no clock
  return new Date(ms).toISOString();
}
