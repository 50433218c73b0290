import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Has the names of a folder's files survive a crash of the machine. */
export function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
