import { constants } from 'node:os';

/** How a process ended. */
export interface Death {
  /** Its exit code; null when a signal ended it or it never ran. */
  readonly exitCode: number | null;
  /** The signal that ended it. */
  readonly signal: NodeJS.Signals | null;
  /** The system's word (EAGAIN, ENOMEM, ...) where it could not be started at all. */
  readonly startFault?: string;
  /** Set when the supervisor killed it: for how long nothing had been heard of it, ms. */
  readonly silentMs?: number;
  /** How long it had been ready, ms; null when it never was. */
  readonly readyForMs: number | null;
}

/** Signals by which people and process managers ask for an end. Any other is an accident. */
const ASKING_SIGNALS = new Set<string>(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/** Exit codes of Node for an exception nobody caught: 1, and 7 when telling of it failed, too. */
const FAULT_CODES = new Set<number | null>([1, 7]);

/** Whether it was an accident: an abort, a kill by the system, an exception nobody caught. */
export function isAccident({ exitCode, signal, startFault }: Death): boolean {
  if (startFault !== undefined) return true;
  return signal === null ? FAULT_CODES.has(exitCode) : !ASKING_SIGNALS.has(signal);
}

/** The exit code that passes a death on, as shells do: 128 + the signal's number. */
export function exitCodeOf({ exitCode, signal }: Death): number {
  return signal === null ? (exitCode ?? 1) : 128 + constants.signals[signal];
}

/** A death in words that follow "by". */
export function describeDeath({ exitCode, signal, startFault, silentMs }: Death): string {
  if (startFault !== undefined) return `${startFault}, which kept it from starting`;
  if (silentMs !== undefined) {
    return `${signal}, by the supervisor, which had heard nothing of it for ${Math.floor(silentMs / 1_000)} s`;
  }
  return signal ?? `exit code ${exitCode}`;
}
