import type { Clock } from '../../ports/clock.ts';

/** Which URLs of one upstream are worth trying, by their position in the configured order. */
export class UrlHealth {
  readonly #clock: Clock;
  readonly #restingUntil: number[];

  constructor(urlCount: number, clock: Clock) {
    this.#clock = clock;
    this.#restingUntil = Array.from({ length: urlCount }, () => 0);
  }

  /**
   * All positions: those in good health first, in their order but for `last`, which comes after them, then the others, whose
   * rest is over soonest first.
   */
  order(last?: number): number[] {
    const now = this.#clock.now();
    const wait = (at: number): number => Math.max(0, (this.#restingUntil[at] ?? 0) - now);
    const turn = (at: number): number => (at === last ? this.#restingUntil.length : at);
    return [...this.#restingUntil.keys()].sort(
      (left, right) => wait(left) - wait(right) || turn(left) - turn(right),
    );
  }

  /** Passes the URL over for a while. */
  rest(at: number, restMs: number): void {
    this.#restingUntil[at] = this.#clock.now() + restMs;
  }

  /** The URL has answered. */
  recover(at: number): void {
    this.#restingUntil[at] = 0;
  }
}
