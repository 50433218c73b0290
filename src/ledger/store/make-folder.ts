import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates the folder at an absolute path with its parents, for this user only. Node's own `recursive` never
 * returns if an existing folder cannot contain another one, like /proc on Linux: the system reports ENOENT,
 * which Node takes for a missing parent.
 *
 * @throws the system's error (`ErrnoException`).
 */
export function makeFolder(path: string): void {
  if (isThere(path)) return;
  const parent = dirname(path);
  if (!isThere(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isThere(path)) throw error;
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Any error: creating the folder will report it better.
    return false;
  }
}
