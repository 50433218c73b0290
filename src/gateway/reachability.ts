import type { Clock } from '../ports/clock.ts';

/** How long an answer counts as a sign of life, ms. */
const FRESH_MS = 5_000;

/** How long nobody is asked after one that nobody answered, ms. */
const FAILED_MS = 2_000;

/**
 * Knows whether an upstream answers: by the answers that pass anyway, and where there was none of late by
 * asking, one question at a time for all who want to know.
 */
export class Reachability {
  readonly #clock: Clock;
  readonly #ask: () => Promise<unknown>;
  #answeredAt = -Infinity;
  #failedAt = -Infinity;
  #asking: Promise<boolean> | undefined;

  /** `ask` settles as the upstream answers; it rejects when it does not. */
  constructor(clock: Clock, ask: () => Promise<unknown>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** There was an answer. */
  note(): void {
    this.#answeredAt = this.#clock.now();
    this.#failedAt = -Infinity;
  }

  isReachable(): Promise<boolean> {
    if (this.#clock.now() - this.#answeredAt < FRESH_MS) return Promise.resolve(true);
    const sinceFailureMs = this.#clock.now() - this.#failedAt;
    // The clock may have been set back.
    if (sinceFailureMs >= 0 && sinceFailureMs < FAILED_MS) return Promise.resolve(false);
    this.#asking ??= this.#ask()
      .then(
        () => {
          this.note();
          return true;
        },
        () => {
          this.#failedAt = this.#clock.now();
          return false;
        },
      )
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }
}
