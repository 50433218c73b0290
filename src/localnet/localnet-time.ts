import { systemClock, type Clock } from '../ports/clock.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';

/** Something that is to be done later. */
interface Entry {
  /** Unix ms by the clock of the localnet. */
  readonly at: number;
  readonly run: () => void;
  /** Calls the machine's timer off; nothing is to be called off where time stands still. */
  readonly callOff: () => void;
}

/**
 * The time of a localnet: the machine's, and ahead of it by what it was moved, or one that stands still until
 * it is moved.
 */
export class LocalnetTime implements Clock, Timer {
  readonly #isStill: boolean;
  /** Unix ms where time stands still, else how far it is ahead of the machine's, ms. */
  #offsetMs: number;
  readonly #entries = new Set<Entry>();

  /** @param startsAtMs Unix ms at which it stands still; left out, it passes as the machine's does. */
  constructor(startsAtMs?: number) {
    this.#isStill = startsAtMs !== undefined;
    this.#offsetMs = startsAtMs ?? 0;
  }

  now(): number {
    return this.#isStill ? this.#offsetMs : systemClock.now() + this.#offsetMs;
  }

  /** What {@link rewind} brings it back to. */
  get mark(): number {
    return this.#offsetMs;
  }

  /** How many things wait for their time. */
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

  /** Brings it back to where it was at a {@link mark}. Whatever waits goes on to wait. */
  rewind(mark: number): void {
    this.#offsetMs = mark;
  }

  /** Moves it by `ms`. What falls due with that waits for {@link runDue}. */
  move(ms: number): void {
    this.#offsetMs += ms;
  }

  /** Does what is due by now, once, in the order in which it fell due: as on a machine that slept. */
  runDue(): void {
    const now = this.now();
    const due = [...this.#entries].filter(({ at }) => at <= now);
    for (const entry of due.sort((one, other) => one.at - other.at)) {
      // What ran before may have called it off.
      if (!this.#entries.has(entry)) continue;
      entry.callOff();
      entry.run();
    }
  }
}
