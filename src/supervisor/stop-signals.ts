import type { Clock } from '../ports/clock.ts';

/** Signals that ask for a shutdown. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Stopping a process and its whole group sends two signals that mean one. Signals this close together count
 * once, ms.
 */
const TOGETHER_MS = 500;

/** What signals trigger. */
export interface StopHandlers {
  /** Called at the first signal. */
  first(): void;
  /** Called at each signal half a second later or more: the user will not wait. */
  again(): void;
}

/** Handles shutdown signals of this process, or of `source`. */
export function onStopSignals(
  { first, again }: StopHandlers,
  clock: Clock,
  source: Pick<NodeJS.EventEmitter, 'on'> = process,
): void {
  let signalledAtMs: number | undefined;
  for (const signal of STOP_SIGNALS) {
    source.on(signal, () => {
      if (signalledAtMs === undefined) {
        signalledAtMs = clock.now();
        first();
      } else if (Math.abs(clock.now() - signalledAtMs) >= TOGETHER_MS) {
        again();
      }
    });
  }
}
