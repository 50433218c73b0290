import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../ports/clock.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';

/** Signals that request a shutdown. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Time in which several signals count as one, in ms. Stopping a process and its group sends two. */
const TOGETHER_MS = 500;

interface StopHandlers {
  /** Handles the first signal. */
  first(): void;
  /** Handles each signal that comes at least half a second later. */
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

/** Interval between checks of the parent, in ms. */
export const PARENT_LOOK_MS = 500;

/**
 * Time limit for a shutdown after the parent is gone, in ms. It is below 5 s, including one check interval.
 */
export const ORPHAN_MS_MAX = 4_000;

interface ParentPorts {
  readonly timer?: Timer;
  /** Returns the pid of the current parent. It changes when another process adopts an orphan. */
  readonly parentPid?: () => number;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Shuts down a process of npm or npx when its parent is gone. npm forwards a signal to its shell, which dies
 * without forwarding it. Calls `first` then, and `again` if the shutdown takes too long. A process that was
 * started in a different way may outlive its parent, for example as a service started from a shell.
 */
export function watchParent(
  { first, again }: StopHandlers,
  { timer = systemTimer, parentPid = () => process.ppid, env = process.env }: ParentPorts = {},
): void {
  // npm sets this variable for everything it runs, including npx (npm docs, scripts, "Environment").
  if (env['npm_command'] === undefined) return;
  const parent = parentPid();
  const look = (): void => {
    if (parentPid() === parent) return lookLater();
    first();
    timer.after(ORPHAN_MS_MAX, again);
  };
  const lookLater = (): void => void timer.after(PARENT_LOOK_MS, look);
  lookLater();
}

/** Returns the path of a new folder. No other user can guess its name and create it first. */
export function nameScratchFolder(): string {
  return join(tmpdir(), `spl-private-payments-${randomUUID()}`);
}

/** Removes a scratch folder at exit if `isOurs` returns true. After a kill the system removes the folder. */
export function throwAwayAtExit(folder: string, isOurs: () => boolean = () => true): void {
  process.once('exit', () => {
    if (isOurs()) rmSync(folder, { recursive: true, force: true });
  });
}
