import type { Clock } from '../../ports/clock.ts';

/** In which order the URLs are asked, by their positions. */
interface Route {
  readonly order: number[];
  /** Whether the first of them has failed before, and is asked to see whether it answers again. */
  readonly isProbe: boolean;
}

/**
 * Which URLs of one upstream are worth trying, by their position in the configured order. One that failed is
 * in bad health until it answers. Once its rest is over, one call at a time finds out: were all of them sent
 * there, each would wait for as long as a URL takes that hangs.
 */
export class UrlHealth {
  readonly #clock: Clock;
  /** When the rest of each is over; null for those in good health. */
  readonly #restingUntil: (number | null)[];
  readonly #probed = new Set<number>();

  constructor(urlCount: number, clock: Clock) {
    this.#clock = clock;
    this.#restingUntil = Array.from({ length: urlCount }, () => null);
  }

  /**
   * All positions: those in good health first, in their order but for `last`, which comes after them, then
   * the others, whose rest is over soonest first. Where one is in good health, a call that may probe begins
   * with one whose rest is over; it has to {@link rest} or {@link recover} that one.
   */
  route(mayProbe: boolean, last?: number): Route {
    const positions = [...this.#restingUntil.keys()];
    const turn = (at: number): number => (at === last ? positions.length : at);
    const healthy = positions
      .filter((at) => this.#restingUntil[at] === null)
      .sort((left, right) => turn(left) - turn(right));
    const others = positions
      .filter((at) => this.#restingUntil[at] !== null)
      .sort((left, right) => this.#waitMs(left) - this.#waitMs(right) || left - right);
    const probe = others.find((at) => this.#waitMs(at) === 0 && !this.#probed.has(at));
    if (!mayProbe || healthy.length === 0 || probe === undefined)
      return { order: [...healthy, ...others], isProbe: false };
    this.#probed.add(probe);
    return { order: [probe, ...healthy, ...others.filter((at) => at !== probe)], isProbe: true };
  }

  /** Passes the URL over for a while. */
  rest(at: number, restMs: number): void {
    this.#probed.delete(at);
    this.#restingUntil[at] = this.#clock.now() + restMs;
  }

  /** The URL has answered. */
  recover(at: number): void {
    this.#probed.delete(at);
    this.#restingUntil[at] = null;
  }

  #waitMs(at: number): number {
    return Math.max(0, (this.#restingUntil[at] ?? 0) - this.#clock.now());
  }
}
