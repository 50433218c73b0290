import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The file that every build writes last, even if nothing has changed. */
const BUILD_MARK = join('dist', 'bundle', 'main.js');

/**
 * Asserts that `dist` under `root` is up to date. Otherwise, tests of whole processes would test an older
 * program.
 *
 * @throws {Error} with the command to run.
 */
export function assertBuilt(root: string): void {
  const builtMs = changedMs(join(root, BUILD_MARK));
  if (builtMs === undefined) throw new Error('dist is not there: run npm run build');
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(isBuilt);
  const newer = sources.find((file) => (changedMs(join(root, 'src', file)) ?? 0) > builtMs);
  if (newer !== undefined)
    throw new Error(`dist is older than src: run npm run build (src/${newer} is newer)`);
}

let isAsserted = false;

/** {@link assertBuilt} for this project, checked once per process. */
export function assertProjectBuilt(): void {
  if (isAsserted) return;
  assertBuilt(ROOT);
  isAsserted = true;
}

/** Returns whether a file is part of the build (`tsconfig.build.json`). */
function isBuilt(file: string): boolean {
  return file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|[\\/])testing[\\/]/.test(file);
}

/** Returns the modification time of a file, Unix ms; undefined if it does not exist. */
function changedMs(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
