import type { Clock } from '../../ports/clock.ts';

/** A clock that stands still until it is moved. */
export class HandClock implements Clock {
  #now: number;

  constructor(now = 1_767_225_600_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Moves the clock by `ms`, which may be negative. */
  pass(ms: number): void {
    this.#now += ms;
  }
}
