import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Creates the folder at an absolute path with its parents, for this user only. Node's `recursive` never
 * returns for a folder such as /proc on Linux, which cannot contain another one: the system reports ENOENT,
 * and Node assumes a missing parent.
 *
 * @throws the system's error (`ErrnoException`).
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (!isFolder(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Creating the folder will report a better error.
    return false;
  }
}

/**
 * Stores files in a folder, which is created for this user only. Files are stored in the given order. Each is
 * stored completely or not at all, even if several processes write at once or one of them is killed.
 *
 * @throws the system's error (`ErrnoException`).
 */
export function storeFiles(
  folder: string,
  files: Iterable<readonly [name: string, content: Uint8Array | string]>,
): void {
  makeFolder(folder);
  const draftFolder = mkdtempSync(join(folder, '.new-'));
  try {
    for (const [name, content] of files) {
      writeFileSync(join(draftFolder, name), content, { mode: 0o600 });
      renameSync(join(draftFolder, name), join(folder, name));
    }
  } finally {
    rmSync(draftFolder, { recursive: true, force: true });
  }
}

/** Reads a file; null if it cannot be read for any reason. */
export function readIfThere(path: string): Uint8Array | null {
  try {
    return new Uint8Array(readFileSync(path));
  } catch {
    return null;
  }
}
