import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface LockedPackage {
  readonly dev?: boolean;
  readonly peer?: boolean;
  readonly optional?: boolean;
}

/** What .dockerignore lets into the context of a build: it refuses everything, then names what may come in. */
export function contextEntries(): readonly string[] {
  const [first, ...rules] = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*' || rules.some((rule) => !rule.startsWith('!'))) {
    throw new Error(
      '.dockerignore has to refuse everything first, and only to name what may come in after that',
    );
  }
  return rules.map((rule) => rule.slice(1));
}

/** Copies the context of a build into a folder, as `docker build` sends it. */
export function copyContext(folder: string): void {
  for (const entry of contextEntries()) copy(entry, folder);
}

/**
 * Copies the packages that `npm ci` installs here, as package-lock.json has them.
 *
 * @param production whether those for development are left out, as `--omit=dev` does.
 */
export function copyPackages(folder: string, production: boolean): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  for (const [path, { dev = false, peer = false, optional = false }] of Object.entries(lock.packages)) {
    if (path === '' || (production && (dev || peer))) continue;
    // Those of other platforms are not installed.
    if (optional && !existsSync(join(ROOT, path))) continue;
    copy(path, folder);
  }
}

function copy(path: string, folder: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}
