import { keepFiles } from './keep-files.ts';
import { specifierOf, type DumpsPackage } from './dumps-package.ts';

/** States the origin and licence of the cached files. */
const NOTICE_FILE = 'NOTICE.txt';

/**
 * Keeps files of the package in a folder ({@link keepFiles}), with a notice of their licence.
 *
 * @throws the system's error (`ErrnoException`).
 */
export function keepDumps(
  folder: string,
  source: DumpsPackage,
  files: ReadonlyMap<string, Uint8Array>,
): void {
  keepFiles(folder, [[NOTICE_FILE, noticeOf(source)], ...files]);
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
