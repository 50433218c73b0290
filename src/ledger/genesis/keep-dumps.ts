import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../store/make-folder.ts';
import { specifierOf, type DumpsPackage } from './dumps-package.ts';

/** States the origin and licence of the cached files. */
const NOTICE_FILE = 'NOTICE.txt';

/**
 * Stores files in a folder, creating it for this user only. Each file is stored completely or not at all,
 * even if several processes write at once or one of them is killed.
 *
 * @throws the system's error (`ErrnoException`).
 */
export function keepDumps(
  folder: string,
  source: DumpsPackage,
  files: ReadonlyMap<string, Uint8Array>,
): void {
  makeFolder(folder);
  const ownFolder = mkdtempSync(join(folder, '.new-'));
  try {
    for (const [name, content] of [[NOTICE_FILE, noticeOf(source)] as const, ...files]) {
      writeFileSync(join(ownFolder, name), content, { mode: 0o600 });
      renameSync(join(ownFolder, name), join(folder, name));
    }
  } finally {
    rmSync(ownFolder, { recursive: true, force: true });
  }
}

function noticeOf(source: DumpsPackage): string {
  return [
    `The files in this folder are from ${source.folder} of the npm package ${specifierOf(source)},`,
    `unchanged, and were fetched from the npm registry. Their licence, as the package names it, is`,
    `${source.licence}: they are for non-production use only. SPL Private Payments reads them for`,
    `local ledgers, and fetches them again where they are missing.`,
    '',
  ].join('\n');
}
