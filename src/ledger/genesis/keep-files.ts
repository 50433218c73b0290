import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../store/make-folder.ts';

/**
 * Stores files, by name, in a folder that is created for this user only. Each file is stored completely or
 * not at all, even if several processes write at once or one of them is killed. They are put in place in
 * their order.
 *
 * @throws the system's error (`ErrnoException`).
 */
export function keepFiles(
  folder: string,
  files: Iterable<readonly [name: string, content: Uint8Array | string]>,
): void {
  makeFolder(folder);
  const ownFolder = mkdtempSync(join(folder, '.new-'));
  try {
    for (const [name, content] of files) {
      writeFileSync(join(ownFolder, name), content, { mode: 0o600 });
      renameSync(join(ownFolder, name), join(folder, name));
    }
  } finally {
    rmSync(ownFolder, { recursive: true, force: true });
  }
}
