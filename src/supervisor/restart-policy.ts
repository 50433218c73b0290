import { constants } from 'node:os';
import { EXIT_CODES } from './exit-codes.ts';

/** The end of a process. */
export interface Death {
  /** Exit code of the process; null if a signal ended it or the process never ran. */
  readonly exitCode: number | null;
  /** The signal that ended the process. */
  readonly signal: NodeJS.Signals | null;
  /** The error code of the system (EAGAIN, ENOMEM, ...) if the process could not be started. */
  readonly startFault?: string;
  /** Time since the last heartbeat, in ms; set if the supervisor killed the process as stuck. */
  readonly silentMs?: number;
  /** Time for which the process was ready, in ms; null if the process never was. */
  readonly readyForMs: number | null;
}

/** Signals by which users and process managers end a process. Any other signal is a crash. */
const STOP_SIGNALS = new Set<string>(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/** Node's exit codes for an uncaught exception: 1, and 7 if its handler failed too. */
const FAULT_CODES = new Set<number | null>([1, 7]);

/** Whether the process crashed: an abort, a kill by the system, an uncaught exception. */
export function isAccident({ exitCode, signal, startFault }: Death): boolean {
  if (startFault !== undefined) return true;
  return signal === null ? FAULT_CODES.has(exitCode) : !STOP_SIGNALS.has(signal);
}

/** Returns the exit code for a death. As in shells, a signal gives 128 + its number. */
export function exitCodeOf({ exitCode, signal }: Death): number {
  return signal === null ? (exitCode ?? 1) : 128 + constants.signals[signal];
}

/** Describes a death in words that follow "by". */
export function describeDeath({ exitCode, signal, startFault, silentMs }: Death): string {
  if (startFault !== undefined) return `${startFault}, which prevented its start`;
  if (silentMs !== undefined) {
    return `${signal}, by the supervisor, after no heartbeat for ${Math.floor(silentMs / 1_000)} s`;
  }
  return signal ?? `exit code ${exitCode}`;
}

/** Maximum number of exits in a row before the process was ready. After that the process is not restarted. */
export const FAILED_STARTS_MAX = 5;

/** Time a process must be ready to count as recovered, in ms. Its next exit then counts as the first. */
export const RECOVERED_MS = 30_000;

/** Delay before the second restart in a row, in ms. It doubles with each restart. The first has no delay. */
const DELAY_MS = 50;
/** The longest delay, in ms. */
export const DELAY_MS_MAX = 5_000;

/**
 * Maximum number of restarts in a row that find a port or the data folder in use. Including the delays, they
 * take two minutes. Another connection may hold a port briefly, and blocks it for another minute after it
 * closes (Linux TCP_TIMEWAIT_LEN).
 */
export const HELD_STARTS_MAX = 30;

/** The consequence of an exit: a restart, or the end with an exit code. */
export type Decision =
  | { readonly action: 'restart'; readonly delayMs: number }
  | { readonly action: 'give-up'; readonly deaths: number }
  | { readonly action: 'end'; readonly exitCode: number };

/**
 * Decides after each exit whether to restart. Orderly exits and invalid settings are final. After a crash the
 * process is restarted: immediately the first time, then with growing delays. The policy gives up after
 * {@link FAILED_STARTS_MAX} crashes in a row before the process was ready. An exception before the first
 * ready state is final, because it would repeat. A port or folder in use is final at the first start, and
 * retried at a restart.
 */
export class RestartPolicy {
  #hasBeenReady = false;
  #deathsInRow = 0;
  #failedStarts = 0;
  #heldStarts = 0;

  /** @param wasAccident whether the exit was a crash. Overrides the result of exit code and signal. */
  decide(death: Death, wasAccident = isAccident(death)): Decision {
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

  #waitForHolder(death: Death): Decision {
    this.#heldStarts++;
    this.#deathsInRow++;
    if (this.#heldStarts >= HELD_STARTS_MAX) return { action: 'end', exitCode: exitCodeOf(death) };
    return { action: 'restart', delayMs: this.#delayMs() };
  }

  #delayMs(): number {
    return this.#deathsInRow === 1 ? 0 : Math.min(DELAY_MS * 2 ** (this.#deathsInRow - 2), DELAY_MS_MAX);
  }
}
