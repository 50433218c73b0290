import { rmSync } from 'node:fs';
import { constants } from 'node:os';

/** Signals that end a verb. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What is told of signals, and ends. */
type Ending = Pick<NodeJS.Process, 'once' | 'off' | 'exit'>;

/**
 * Removes what is half written, with keys in it, where a signal ends this process: with 128 and its number.
 *
 * @param path of the file or the folder, which need not be there.
 * @returns call it once that is in its place, or was removed.
 */
export function leavingNothingOf(path: string, ending: Ending = process): () => void {
  const end = (signal: NodeJS.Signals): void => {
    rmSync(path, { recursive: true, force: true });
    ending.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) ending.once(signal, end);
  return () => {
    for (const signal of SIGNALS) ending.off(signal, end);
  };
}
