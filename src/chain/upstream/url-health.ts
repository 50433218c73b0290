import type { Clock } from '../../ports/clock.ts';

/** Which URLs of one upstream are worth trying, by their position in the configured order. */
export class UrlHealth {
  readonly #clock: Clock;
  readonly #restingUntil: number[];

  constructor(urlCount: number, clock: Clock) {
    this.#clock = clock;
    this.#restingUntil = Array.from({ length: urlCount }, () => 0);
  }

  /** All positions: those in good health first, in their order, then the others, whose rest is over soonest first. */
  order(): number[] {
    const now = this.#clock.now();
    const wait = (at: number): number => Math.max(0, (this.#restingUntil[at] ?? 0) - now);
    return [...this.#restingUntil.keys()].sort((left, right) => wait(left) - wait(right) || left - right);
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
