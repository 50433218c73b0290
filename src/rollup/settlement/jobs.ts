import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import type { Address } from '../../solana/address.ts';
import type { RollupContext } from '../rollup-context.ts';
import type { Claims } from './claims.ts';
import type { HaltedMints } from './solvency.ts';

/** Dependencies that all jobs of settlement share. */
export interface SettlementContext extends Omit<RollupContext, 'clock' | 'ledger'> {
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'setOwnAccounts'>;
  readonly claims: Claims;
  readonly halted: HaltedMints;
  /** Processes what base has executed, even if unpublished. Resolves when the write succeeded or failed. */
  readonly processSettled: () => Promise<void>;
  /** Reports that a waiting item may be retried. */
  readonly wake: () => void;
}

/** One kind of background work of the rollup, done in steps. */
export interface Job {
  /**
   * Does the next step; returns false if there is none now.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  step(): Promise<boolean>;
  /** The number of items that failed and will be retried. */
  readonly stalledCount: number;
  /** Allows failed items to be retried now. */
  releaseAll(): void;
  /** Cancels the timers of the job. */
  close(): void;
}

/** The first retry waits one second. Each further wait is twice as long, up to a minute. */
const DELAY_MS_MIN = 1_000;
const DELAY_MS_MAX = 60_000;

interface Setback {
  readonly failures: number;
  /** Cancels the wait; null if the item may be retried now. */
  readonly cancel: (() => void) | null;
}

/** Tracks failed items, by default by address, and the time at which each may be retried. */
export class BackOff<Key = Address> {
  readonly #timer: Timer;
  readonly #onDue: (key: Key) => void;
  readonly #setbacks = new Map<Key, Setback>();

  /** @param onDue called when an item may be retried. */
  constructor(timer: Timer, onDue: (key: Key) => void) {
    this.#timer = timer;
    this.#onDue = onDue;
  }

  /** Whether the item must wait. */
  isHeld(key: Key): boolean {
    return (this.#setbacks.get(key)?.cancel ?? null) !== null;
  }

  /** Records a failure and returns the number of consecutive failures. */
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

  /** Allows a retry now, without resetting the number of failures. */
  release(key: Key): void {
    const setback = this.#setbacks.get(key);
    if (setback === undefined) return;
    setback.cancel?.();
    this.#setbacks.set(key, { ...setback, cancel: null });
  }

  releaseAll(): void {
    for (const key of this.#setbacks.keys()) this.release(key);
  }

  /** Removes an item that succeeded or no longer exists. */
  forget(key: Key): void {
    this.release(key);
    this.#setbacks.delete(key);
  }

  close(): void {
    this.releaseAll();
    this.#setbacks.clear();
  }
}

/**
 * Logs a failure that will be retried: the first as an error, repeated ones as warnings.
 *
 * @param fields the fields of the entry, including the number of consecutive failures (`BackOff.hold`).
 */
export function logFailure(
  logger: Logger,
  fields: { readonly failures: number; readonly reason: unknown; readonly mint?: string },
  message: string,
): void {
  logger[fields.failures === 1 ? 'error' : 'warn'](fields, message);
}
