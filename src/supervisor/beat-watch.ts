import type { Clock } from '../ports/clock.ts';
import type { Timer } from '../ports/timer.ts';

/** How often the child sends a heartbeat, ms. */
export const BEAT_MS = 1_000;

/**
 * A child without a heartbeat for this long is stuck, ms: no request blocks its event loop nearly as long.
 */
export const SILENCE_MS_MAX = 5_000;

/** What a {@link BeatWatch} needs. */
interface BeatWatchOptions {
  readonly clock: Clock;
  readonly timer: Timer;
  /** Called once; the watch is over then. */
  onSilent(silentMs: number): void;
}

/**
 * Watches the heartbeat of a process, starting with the first beat. Silence is counted in checks that ran on
 * time. A late check means that this process, or the machine, was suspended itself (a laptop that slept), so
 * the count restarts.
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

  /** Records a heartbeat. */
  hear(): void {
    this.#silentMs = 0;
    if (this.#isOver || this.#cancel !== undefined) return;
    this.#lookedAtMs = this.#options.clock.now();
    this.#lookLater();
  }

  /** Ends the watch; later beats are ignored. */
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
