import type { Clock } from '../../ports/clock.ts';

/**
 * A value that is costly to read and rarely changes. Concurrent callers share one read; failures are not
 * cached.
 */
export class ExpiringValue<Value> {
  readonly #clock: Clock;
  readonly #ageMaxMs: number;
  readonly #read: () => Promise<Value>;
  #known: { readonly value: Promise<Value>; readonly askedAt: number } | undefined;

  constructor(clock: Clock, ageMaxMs: number, read: () => Promise<Value>) {
    this.#clock = clock;
    this.#ageMaxMs = ageMaxMs;
    this.#read = read;
  }

  /** @throws whatever the read throws. */
  get(): Promise<Value> {
    const now = this.#clock.now();
    if (this.#known !== undefined) {
      const ageMs = now - this.#known.askedAt;
      if (ageMs >= 0 && ageMs <= this.#ageMaxMs) return this.#known.value;
    }
    const known = { value: this.#read(), askedAt: now };
    this.#known = known;
    known.value.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return known.value;
  }
}
