import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../errors/service-error.ts';
import { type Clock, systemClock } from '../ports/clock.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';
import type { LocalLedgers } from './console-snapshots.ts';

/** A scheduled call. */
interface Entry {
  /** Due time in Unix ms, by the localnet's clock. */
  readonly at: number;
  readonly run: () => void;
  /** Cancels the system timer, if there is one. */
  readonly callOff: () => void;
}

/** The time of a localnet: the system time plus an offset, or fixed and moved only on request. */
export class LocalnetTime implements Clock, Timer {
  readonly #isStill: boolean;
  /** The fixed time in Unix ms, or the offset to the system time in ms. */
  #offsetMs: number;
  readonly #entries = new Set<Entry>();

  /** @param startsAtMs fixed start time, Unix ms. Default: the system time. */
  constructor(startsAtMs?: number) {
    this.#isStill = startsAtMs !== undefined;
    this.#offsetMs = startsAtMs ?? 0;
  }

  now(): number {
    return this.#isStill ? this.#offsetMs : systemClock.now() + this.#offsetMs;
  }

  /** The state to {@link rewind} to. */
  get mark(): number {
    return this.#offsetMs;
  }

  /** Number of scheduled calls. */
  get waiting(): number {
    return this.#entries.size;
  }

  after(delayMs: number, run: () => void): () => void {
    const fire = (): void => {
      this.#entries.delete(entry);
      run();
    };
    const callOffTimer = this.#isStill ? () => undefined : systemTimer.after(delayMs, fire);
    const entry: Entry = { at: this.now() + delayMs, run: fire, callOff: callOffTimer };
    this.#entries.add(entry);
    return () => {
      this.#entries.delete(entry);
      callOffTimer();
    };
  }

  /** Returns to a {@link mark}. Scheduled calls stay scheduled. */
  rewind(mark: number): void {
    this.#offsetMs = mark;
  }

  /** Moves the time by `ms`. Due calls wait for {@link runDue}. */
  move(ms: number): void {
    this.#offsetMs += ms;
  }

  /** Runs all due calls once, in order. */
  runDue(): void {
    const now = this.now();
    const due = [...this.#entries].filter(({ at }) => at <= now);
    for (const entry of due.sort((one, other) => one.at - other.at)) {
      // An earlier call may have canceled this entry.
      if (!this.#entries.has(entry)) continue;
      entry.callOff();
      entry.run();
    }
  }
}

/**
 * Moves the time of both ledgers ahead by `ms`, and runs the calls that are due.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS unless `ms` is a positive whole number.
 */
export async function travel({ base, rollup }: LocalLedgers, time: LocalnetTime, ms: number): Promise<void> {
  if (!Number.isSafeInteger(ms) || ms <= 0) {
    throw new ServiceError('INVALID_ARGUMENTS', 'ms must be a positive whole number', { field: 'ms' });
  }
  const targets = [base, rollup].map((ledger) => ledger.head().slot + Math.floor(ms / ledger.slotMs));
  const [baseSlot = 0, rollupSlot = 0] = targets;
  time.move(ms);
  // A ledger in a folder enters new slots only once its lease on disk covers them.
  await until(() => base.isClockPaused || base.head().slot >= baseSlot);
  await until(() => rollup.head().slot >= rollupSlot);
  time.runDue();
  await rollup.settled();
}

async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await turn();
}
