import type { Clock } from '../../ports/clock.ts';
import type { Timer } from '../../ports/timer.ts';

/** A clock and a timer that only advance when a test moves them. */
export class HandTime implements Clock, Timer {
  #now = 1_767_225_600_000;
  #due: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const entry = { at: this.#now + delayMs, run };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((other) => other !== entry);
    };
  }

  /** The number of pending timers. */
  get waiting(): number {
    return this.#due.length;
  }

  /** Advances time by `ms`, runs due timers in order, and waits for the work they start. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const [next] = this.#due.filter(({ at }) => at <= end).sort((left, right) => left.at - right.at);
      if (next === undefined) break;
      this.#due = this.#due.filter((entry) => entry !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await settle();
    }
    this.#now = end;
  }

  /** Advances time by `ms` in one step, like a machine that was suspended: due timers run late. */
  async leap(ms: number): Promise<void> {
    this.#now += ms;
    await this.pass(0);
  }
}

/** Waits for pending promises to settle. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
