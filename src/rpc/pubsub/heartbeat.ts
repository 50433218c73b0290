import type { Timer } from '../../ports/timer.ts';

/** Runs an action at regular intervals while it is needed. */
export class Heartbeat {
  readonly #timer: Timer;
  readonly #intervalMs: number;
  readonly #beat: () => void;
  #callOff: (() => void) | undefined;

  constructor(timer: Timer, intervalMs: number, beat: () => void) {
    this.#timer = timer;
    this.#intervalMs = intervalMs;
    this.#beat = beat;
  }

  /** Starts or stops the heartbeat. The action first runs after one interval. */
  run(isWanted: boolean): void {
    if (isWanted === (this.#callOff !== undefined)) return;
    if (isWanted) this.#schedule();
    else {
      this.#callOff?.();
      this.#callOff = undefined;
    }
  }

  #schedule(): void {
    this.#callOff = this.#timer.after(this.#intervalMs, () => {
      this.#schedule();
      this.#beat();
    });
  }
}
