import type { Clock } from '../ports/clock.ts';

/** Signals that ask for an orderly end. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Who stops a process and its whole group sends two signals that mean one; so close together nobody asks twice, ms. */
const TOGETHER_MS = 500;

/** What signals lead to. */
export interface StopHandlers {
  /** At the first signal that asks for an end. */
  first(): void;
  /** At every one that comes half a second later or still later: somebody will not wait. */
  again(): void;
}

/** Handles the signals that ask for an end. They come from this process, unless another `source` is given. */
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
