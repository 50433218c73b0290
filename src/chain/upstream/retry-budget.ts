import type { Clock } from '../../ports/clock.ts';

/** Further attempts per hundred requests. */
const SHARE_PERCENT = 10;
/** Maximum number of further attempts that are saved up. */
export const RESERVE_MAX = 50;
/** Further attempts per second that do not depend on the requests. They allow retries of rare requests. */
const PER_SECOND = 1;

/**
 * Limits further attempts at an upstream to 10 percent of its requests plus a small reserve, so that an
 * outage does not multiply the load.
 */
export class RetryBudget {
  readonly #clock: Clock;
  /** The available attempts, in hundredths. */
  #balance = RESERVE_MAX * 100;
  #countedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.now();
  }

  /** Counts a request. */
  countRequest(): void {
    this.#add(SHARE_PERCENT);
  }

  /** Takes one further attempt. Returns false if none is left. */
  take(): boolean {
    const now = this.#clock.now();
    this.#add((Math.max(0, now - this.#countedAt) / 1_000) * PER_SECOND * 100);
    this.#countedAt = now;
    if (this.#balance < 100) return false;
    this.#balance -= 100;
    return true;
  }

  #add(hundredths: number): void {
    this.#balance = Math.min(RESERVE_MAX * 100, this.#balance + hundredths);
  }
}
