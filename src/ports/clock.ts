/** Where the project gets time from. Tests give their own. */
export interface Clock {
  /** Wall time in ms since the Unix epoch. */
  now(): number;
  /** Milliseconds that passed since a moment in the past, which nobody sets. Optional. */
  steady?(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now(), steady: () => performance.now() };
