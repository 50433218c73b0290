import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Written last by every build, also by one that found nothing to do. */
const BUILD_MARK = join('dist', 'bundle', 'main.js');

/**
 * Asserts that `dist` under `root` was built from the present sources: tests of whole processes would otherwise
 * test an earlier program.
 *
 * @throws Error with what to run.
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

/** As `tsconfig.build.json` has it. */
function isBuilt(file: string): boolean {
  return file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|[\\/])testing[\\/]/.test(file);
}

/** When a file was changed, Unix ms; undefined where there is none. */
function changedMs(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
