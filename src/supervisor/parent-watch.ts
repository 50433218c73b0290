import { systemTimer, type Timer } from '../ports/timer.ts';
import type { StopHandlers } from './stop-signals.ts';

/** How often it is looked whether the parent is still there, ms. */
export const PARENT_LOOK_MS = 500;

/** How long an orderly end may take once the parent is gone, ms; with the look it is less than 5 s. */
export const ORPHAN_MS_MAX = 4_000;

/** How the parent is known. */
interface ParentPorts {
  readonly timer?: Timer;
  /** The pid of the present parent: another process takes an orphan over. */
  readonly parentPid?: () => number;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Ends a process that npm or npx started once its parent is gone: npm hands a signal on to its shell, which ends by it and
 * tells nobody. `first` is called then, and `again` when the orderly end takes too long. A process that was started in
 * another way may outlive its parent, as services that a shell began do.
 */
export function watchParent(
  { first, again }: StopHandlers,
  { timer = systemTimer, parentPid = () => process.ppid, env = process.env }: ParentPorts = {},
): void {
  // npm sets it for everything it runs, npx included (npm docs, scripts, "Environment").
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
