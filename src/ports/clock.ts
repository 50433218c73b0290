/** Where the project gets time from. Tests give their own. */
export interface Clock {
  /** Wall time in ms since the Unix epoch. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };
