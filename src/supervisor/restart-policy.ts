import { exitCodeOf, isAccident, type Death } from './death.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** Exits in a row before it was ready, after which it is not started again. */
export const FAILED_STARTS_MAX = 5;

/** A process that was ready for this long has recovered: its next exit starts a new row, ms. */
export const RECOVERED_MS = 30_000;

/**
 * Delay before the second restart of a row, ms; it doubles with each further one. The first restart is
 * immediate.
 */
const DELAY_MS = 50;
/** The longest delay, ms. */
export const DELAY_MS_MAX = 5_000;

/**
 * Restarts in a row that may find a port or the data folder in use. With their delays that is two minutes:
 * another connection may hold a port briefly, and a closed one blocks it for a minute more (Linux
 * TCP_TIMEWAIT_LEN).
 */
export const HELD_STARTS_MAX = 30;

/** What follows an exit: a restart, or the end with an exit code. */
export type Verdict =
  | { readonly action: 'restart'; readonly delayMs: number }
  | { readonly action: 'give-up'; readonly deaths: number }
  | { readonly action: 'end'; readonly exitCode: number };

/**
 * Decides after each exit whether to restart. Orderly exits and invalid settings are final. Crashes lead to a
 * restart: the first of a row at once, later ones with growing delays, until too many came before the process
 * was ready. An exception before it was ever ready is final too, since it would repeat. A port or folder in
 * use is final at the first start and waited for at a restart.
 */
export class RestartPolicy {
  #hasBeenReady = false;
  #deathsInRow = 0;
  #failedStarts = 0;
  #heldStarts = 0;

  /** `wasAccident` if the caller knows better than exit code and signal show. */
  judge(death: Death, wasAccident = isAccident(death)): Verdict {
    const { signal, startFault, readyForMs } = death;
    this.#hasBeenReady ||= readyForMs !== null;
    if (this.#hasBeenReady && death.exitCode === EXIT_CODES.held) return this.#waitForHolder(death);
    this.#heldStarts = 0;
    const isFaultAtStart = !this.#hasBeenReady && signal === null && startFault === undefined;
    if (!wasAccident || isFaultAtStart) return { action: 'end', exitCode: exitCodeOf(death) };
    this.#deathsInRow = readyForMs !== null && readyForMs >= RECOVERED_MS ? 1 : this.#deathsInRow + 1;
    this.#failedStarts = readyForMs === null ? this.#failedStarts + 1 : 0;
    if (this.#failedStarts >= FAILED_STARTS_MAX) return { action: 'give-up', deaths: this.#failedStarts };
    return { action: 'restart', delayMs: this.#delayMs() };
  }

  #waitForHolder(death: Death): Verdict {
    this.#heldStarts++;
    this.#deathsInRow++;
    if (this.#heldStarts >= HELD_STARTS_MAX) return { action: 'end', exitCode: exitCodeOf(death) };
    return { action: 'restart', delayMs: this.#delayMs() };
  }

  #delayMs(): number {
    return this.#deathsInRow === 1 ? 0 : Math.min(DELAY_MS * 2 ** (this.#deathsInRow - 2), DELAY_MS_MAX);
  }
}
