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

/** Accounts that failed, and when each may be retried. */
export class BackOff {
  readonly #timer: Timer;
  readonly #onDue: (address: Address) => void;
  readonly #setbacks = new Map<Address, Setback>();

  /** @param onDue told when the time of an address has come; it may be tried from then on. */
  constructor(timer: Timer, onDue: (address: Address) => void) {
    this.#timer = timer;
    this.#onDue = onDue;
  }

  /** Addresses that have failed, waiting or not. */
  get size(): number {
    return this.#setbacks.size;
  }

  /** Whether it must wait. */
  isHeld(address: Address): boolean {
    return (this.#setbacks.get(address)?.cancel ?? null) !== null;
  }

  /** Records a failure; returns the number of failures in a row, this one included. */
  hold(address: Address): number {
    this.release(address);
    const failures = (this.#setbacks.get(address)?.failures ?? 0) + 1;
    const delayMs = Math.min(DELAY_MS_MIN * 2 ** (failures - 1), DELAY_MS_MAX);
    const cancel = this.#timer.after(delayMs, () => {
      this.release(address);
      this.#onDue(address);
    });
    this.#setbacks.set(address, { failures, cancel });
    return failures;
  }

  /** Allows a retry now; the failures so far still count. */
  release(address: Address): void {
    const setback = this.#setbacks.get(address);
    if (setback === undefined) return;
    setback.cancel?.();
    this.#setbacks.set(address, { ...setback, cancel: null });
  }

  releaseAll(): void {
    for (const address of this.#setbacks.keys()) this.release(address);
  }

  /** Forgets an address that succeeded or is gone. */
  forget(address: Address): void {
    this.release(address);
    this.#setbacks.delete(address);
  }

  /** Cancels all retries. */
  close(): void {
    this.releaseAll();
    this.#setbacks.clear();
  }
}
