import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Has what is written to a file, or the names of a folder, survive a crash of the machine. */
export type Flush = (handle: number) => void;

/** Has the names of a folder's files survive a crash of the machine. */
export function flushFolder(folder: string, flush: Flush = fsyncSync): void {
  const handle = openSync(folder, 'r');
  try {
    flush(handle);
  } finally {
    closeSync(handle);
  }
}
