import type { Timer } from '../../ports/timer.ts';
import type { Address } from '../../solana/address.ts';

/** What did not work is left alone for a second, and for twice as long after each further time, up to a minute. */
const DELAY_MS_MIN = 1_000;
const DELAY_MS_MAX = 60_000;

interface Setback {
  readonly failures: number;
  /** Null when it may be tried again. */
  readonly cancel: (() => void) | null;
}

/** Accounts something did not work with, and when it is tried again. */
export class BackOff {
  readonly #timer: Timer;
  readonly #onDue: (address: Address) => void;
  readonly #setbacks = new Map<Address, Setback>();

  /** @param onDue told when the time of an address has come; it may be tried from then on. */
  constructor(timer: Timer, onDue: (address: Address) => void) {
    this.#timer = timer;
    this.#onDue = onDue;
  }

  /** Addresses something did not work with so far, held or not. */
  get size(): number {
    return this.#setbacks.size;
  }

  /** Whether it is to be left alone for now. */
  isHeld(address: Address): boolean {
    return (this.#setbacks.get(address)?.cancel ?? null) !== null;
  }

  /** Notes that it did not work; the number of times in a row, this one included. */
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

  /** It may be tried again now; that it did not work so far is still known. */
  release(address: Address): void {
    const setback = this.#setbacks.get(address);
    if (setback === undefined) return;
    setback.cancel?.();
    this.#setbacks.set(address, { ...setback, cancel: null });
  }

  releaseAll(): void {
    for (const address of this.#setbacks.keys()) this.release(address);
  }

  /** It worked, or is no more. */
  forget(address: Address): void {
    this.release(address);
    this.#setbacks.delete(address);
  }

  /** Nothing falls due any more. */
  close(): void {
    this.releaseAll();
    this.#setbacks.clear();
  }
}
