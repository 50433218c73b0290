import type { Clock } from '../../ports/clock.ts';

/** The order in which the URLs are tried, by index. */
interface Route {
  readonly order: number[];
  /** Whether the first URL failed before and is tried to see whether it answers again. */
  readonly isProbe: boolean;
}

/**
 * Which URLs of an upstream to try, by their index in the configured order. A URL that failed is unhealthy
 * until it answers. After its rest a single call probes it: if all calls went there, each would wait for a
 * URL that hangs.
 */
export class UrlHealth {
  readonly #clock: Clock;
  /** When the rest of each URL ends; null for healthy ones. */
  readonly #restingUntil: (number | null)[];
  readonly #probed = new Set<number>();

  constructor(urlCount: number, clock: Clock) {
    this.#clock = clock;
    this.#restingUntil = Array.from({ length: urlCount }, () => null);
  }

  /**
   * All indices: the healthy URLs first, in order but with `last` at their end, then the others by the end of
   * their rest. If a URL is healthy, a call that may probe starts with one whose rest has ended, and must
   * then {@link rest} or {@link recover} it.
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

  /** Whether the URL has answered since it last failed. */
  isHealthy(at: number): boolean {
    return this.#restingUntil[at] === null;
  }

  /** Skips the URL for a while. */
  rest(at: number, restMs: number): void {
    this.#probed.delete(at);
    this.#restingUntil[at] = this.#clock.now() + restMs;
  }

  /** Marks the URL as healthy. */
  recover(at: number): void {
    this.#probed.delete(at);
    this.#restingUntil[at] = null;
  }

  #waitMs(at: number): number {
    return Math.max(0, (this.#restingUntil[at] ?? 0) - this.#clock.now());
  }
}
