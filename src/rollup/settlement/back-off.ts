import type { Timer } from '../../ports/timer.ts';
import type { Address } from '../../solana/address.ts';

/** The first retry waits a second, each further one twice as long, up to a minute. */
const DELAY_MS_MIN = 1_000;
const DELAY_MS_MAX = 60_000;

interface Setback {
  readonly failures: number;
  /** Null when it may be retried. */
  readonly cancel: (() => void) | null;
}

/** What failed, by address unless something else tells it apart, and when each may be retried. */
export class BackOff<Key = Address> {
  readonly #timer: Timer;
  readonly #onDue: (key: Key) => void;
  readonly #setbacks = new Map<Key, Setback>();

  /** @param onDue told when the time of a key has come; it may be tried from then on. */
  constructor(timer: Timer, onDue: (key: Key) => void) {
    this.#timer = timer;
    this.#onDue = onDue;
  }

  /** How many have failed, waiting or not. */
  get size(): number {
    return this.#setbacks.size;
  }

  /** Whether it must wait. */
  isHeld(key: Key): boolean {
    return (this.#setbacks.get(key)?.cancel ?? null) !== null;
  }

  /** Records a failure; returns the number of failures in a row, this one included. */
  hold(key: Key): number {
    this.release(key);
    const failures = (this.#setbacks.get(key)?.failures ?? 0) + 1;
    const delayMs = Math.min(DELAY_MS_MIN * 2 ** (failures - 1), DELAY_MS_MAX);
    const cancel = this.#timer.after(delayMs, () => {
      this.release(key);
      this.#onDue(key);
    });
    this.#setbacks.set(key, { failures, cancel });
    return failures;
  }

  /** Allows a retry now; the failures so far still count. */
  release(key: Key): void {
    const setback = this.#setbacks.get(key);
    if (setback === undefined) return;
    setback.cancel?.();
    this.#setbacks.set(key, { ...setback, cancel: null });
  }

  releaseAll(): void {
    for (const key of this.#setbacks.keys()) this.release(key);
  }

  /** Forgets what succeeded or is gone. */
  forget(key: Key): void {
    this.release(key);
    this.#setbacks.delete(key);
  }

  /** Cancels all retries. */
  close(): void {
    this.releaseAll();
    this.#setbacks.clear();
  }
}
