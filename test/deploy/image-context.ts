import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
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
 * Puts the packages that `npm ci` installs into a folder where they are only built with: links, as all of them
 * are 200 MB.
 */
export function linkPackages(folder: string): void {
  for (const [path] of installedPackages()) {
    // What lies in a package is there with it.
    if (path.split('node_modules/').length > 2) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path), 'dir');
  }
}

/** Copies the packages that `npm ci --omit=dev` installs. */
export function copyProductionPackages(folder: string): void {
  for (const [path, { dev = false, peer = false }] of installedPackages()) {
    if (!dev && !peer) copy(path, folder);
  }
}

/** As package-lock.json has them, by path; without those of other platforms, which are not installed. */
function installedPackages(): readonly (readonly [string, LockedPackage])[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(lock.packages).filter(
    ([path, { optional = false }]) => path !== '' && (!optional || existsSync(join(ROOT, path))),
  );
}

function copy(path: string, folder: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}
