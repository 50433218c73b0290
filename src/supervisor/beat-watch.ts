import type { Clock } from '../ports/clock.ts';
import type { Timer } from '../ports/timer.ts';

/** How often the process that serves says that it is alive, ms. */
export const BEAT_MS = 1_000;

/** A process of which nothing was heard for so long is stuck, ms: no request takes its event loop nearly as long. */
export const SILENCE_MS_MAX = 5_000;

/** What a {@link BeatWatch} works with. */
interface BeatWatchOptions {
  readonly clock: Clock;
  readonly timer: Timer;
  /** Is called once, after which the watch is over. */
  onSilent(silentMs: number): void;
}

/**
 * Listens for the beat of a process from the first one on. Silence is counted in looks that come when they are due: one
 * that comes late tells that this process, or the machine, stood still itself, and then the count begins anew.
 */
export class BeatWatch {
  readonly #options: BeatWatchOptions;
  #silentMs = 0;
  #lookedAtMs = 0;
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(options: BeatWatchOptions) {
    this.#options = options;
  }

  /** Takes note of a beat. */
  hear(): void {
    this.#silentMs = 0;
    if (this.#isOver || this.#cancel !== undefined) return;
    this.#lookedAtMs = this.#options.clock.now();
    this.#lookLater();
  }

  /** Listens no more, also not to beats that are still to come. */
  end(): void {
    this.#isOver = true;
    this.#cancel?.();
  }

  #lookLater(): void {
    this.#cancel = this.#options.timer.after(BEAT_MS, () => this.#look());
  }

  #look(): void {
    const nowMs = this.#options.clock.now();
    const passedMs = nowMs - this.#lookedAtMs;
    this.#lookedAtMs = nowMs;
    const isOnTime = passedMs >= 0 && passedMs < 2 * BEAT_MS;
    this.#silentMs = isOnTime ? this.#silentMs + passedMs : 0;
    if (this.#silentMs < SILENCE_MS_MAX) return this.#lookLater();
    this.end();
    this.#options.onSilent(this.#silentMs);
  }
}
