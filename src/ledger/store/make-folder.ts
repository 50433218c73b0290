import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the folder at an absolute path, and those above it, where they are missing; for this user alone.
 * Node's own `recursive` never returns where a folder that is there has no place for another one, as /proc on
 * Linux: the system says ENOENT of it, which Node takes for a missing parent.
 *
 * @throws what the system says (`ErrnoException`).
 */
export function makeFolder(path: string): void {
  if (isThere(path)) return;
  const parent = dirname(path);
  if (!isThere(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isThere(path)) throw error;
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Whatever it is, making the folder says it better.
    return false;
  }
}
