/** The source of time. Tests inject their own. */
export interface Clock {
  /** Wall time in ms since the Unix epoch. */
  now(): number;
  /** Monotonic time in ms since an arbitrary moment. Optional. */
  steady?(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now(), steady: () => performance.now() };
