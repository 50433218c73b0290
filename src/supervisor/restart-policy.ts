import { exitCodeOf, isAccident, type Death } from './death.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** Deaths in a row before it was ready after which no further start is tried. */
export const FAILED_STARTS_MAX = 5;

/** A process that has been ready for so long has recovered: its death begins a new row. */
export const RECOVERED_MS = 30_000;

/** Wait before the second restart of a row, ms; it doubles with each further one. The first restart waits for nothing. */
const DELAY_MS = 50;
/** The longest wait, ms. */
export const DELAY_MS_MAX = 5_000;

/**
 * Restarts in a row that may find a port or the data folder held by another process. With the waits between them that is
 * two minutes: any connection may have taken a port that was free for a moment, and a closed one keeps it for another
 * minute (Linux TCP_TIMEWAIT_LEN).
 */
export const HELD_STARTS_MAX = 30;

/** What becomes of a death: another start, or the end with an exit code. */
export type Verdict =
  | { readonly action: 'restart'; readonly delayMs: number }
  | { readonly action: 'give-up'; readonly deaths: number }
  | { readonly action: 'end'; readonly exitCode: number };

/**
 * Decides after each death whether there is another start. Orderly ends and settings that do not work are final.
 * Accidents are followed by a restart, at once for the first of a row and ever later after it, until too many in a row
 * came before the process was ready. An exception before anything was ever ready is final, too: it would come again. What
 * another process holds is final at the first start, and waited for at a restart.
 */
export class RestartPolicy {
  #hasBeenReady = false;
  #deathsInRow = 0;
  #failedStarts = 0;
  #heldStarts = 0;

  /** `wasAccident` where whoever asks knows better than the exit code and the signal tell. */
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
