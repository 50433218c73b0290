import { constants } from 'node:os';

/** How a process ended. */
export interface Death {
  /** Its exit code; null when a signal ended it or it never ran. */
  readonly exitCode: number | null;
  /** The signal that ended it. */
  readonly signal: NodeJS.Signals | null;
  /** The error code of the system (EAGAIN, ENOMEM, ...) if it could not be started. */
  readonly startFault?: string;
  /** Set if the supervisor killed it as stuck: ms since its last heartbeat. */
  readonly silentMs?: number;
  /** How long it was ready, ms; null if it never was. */
  readonly readyForMs: number | null;
}

/** Signals with which people and process managers end a process. Any other one is a crash. */
const ASKING_SIGNALS = new Set<string>(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/** Node's exit codes for an uncaught exception: 1, and 7 if its handler failed too. */
const FAULT_CODES = new Set<number | null>([1, 7]);

/** Whether it was a crash: an abort, a kill by the system, an uncaught exception. */
export function isAccident({ exitCode, signal, startFault }: Death): boolean {
  if (startFault !== undefined) return true;
  return signal === null ? FAULT_CODES.has(exitCode) : !ASKING_SIGNALS.has(signal);
}

/** The exit code that reports it, as shells do: 128 + the signal number. */
export function exitCodeOf({ exitCode, signal }: Death): number {
  return signal === null ? (exitCode ?? 1) : 128 + constants.signals[signal];
}

/** A description that follows "by". */
export function describeDeath({ exitCode, signal, startFault, silentMs }: Death): string {
  if (startFault !== undefined) return `${startFault}, which kept it from starting`;
  if (silentMs !== undefined) {
    return `${signal}, by the supervisor, which had heard nothing of it for ${Math.floor(silentMs / 1_000)} s`;
  }
  return signal ?? `exit code ${exitCode}`;
}
