import type { Clock } from '../ports/clock.ts';

/** How long an answer counts as a sign of life, ms. */
const FRESH_MS = 5_000;

/**
 * Knows whether an upstream answers: by the answers that pass anyway, and where there was none of late by
 * asking, one question at a time for all who want to know.
 */
export class Reachability {
  readonly #clock: Clock;
  readonly #ask: () => Promise<unknown>;
  #answeredAt = -Infinity;
  #asking: Promise<boolean> | undefined;

  /** `ask` settles as the upstream answers; it rejects when it does not. */
  constructor(clock: Clock, ask: () => Promise<unknown>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** There was an answer. */
  note(): void {
    this.#answeredAt = this.#clock.now();
  }

  isReachable(): Promise<boolean> {
    if (this.#clock.now() - this.#answeredAt < FRESH_MS) return Promise.resolve(true);
    this.#asking ??= this.#ask()
      .then(
        () => {
          this.note();
          return true;
        },
        () => false,
      )
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }
}
