import { rmSync } from 'node:fs';
import { constants } from 'node:os';

/** Signals that end a verb. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What is told of signals, and ends by one. */
type Ending = Pick<NodeJS.Process, 'once' | 'off' | 'kill' | 'pid' | 'exit'>;

/**
 * Removes what is half written, with keys in it, where a signal ends this process. It ends by that signal,
 * which a shell shows as 128 and its number.
 *
 * @param path of the file or the folder, which need not be there.
 * @returns call it once that is in its place, or was removed.
 */
export function leavingNothingOf(path: string, ending: Ending = process): () => void {
  const end = (signal: NodeJS.Signals): void => {
    rmSync(path, { recursive: true, force: true });
    release();
    // `exit` would wait for the threads that read files, and one of them may wait at a pipe for ever.
    ending.kill(ending.pid, signal);
    // Still here as the first process of a container, which no signal ends that it does not handle.
    ending.exit(128 + constants.signals[signal]);
  };
  const release = (): void => {
    for (const signal of SIGNALS) ending.off(signal, end);
  };
  for (const signal of SIGNALS) ending.once(signal, end);
  return release;
}
