import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface LockedPackage {
  readonly dev?: boolean;
  readonly peer?: boolean;
  readonly optional?: boolean;
}

/** Returns the entries that .dockerignore allows into the build context. It excludes everything else. */
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

/** Copies the build context into a folder, like `docker build`. */
export function copyContext(folder: string): void {
  for (const entry of contextEntries()) copy(entry, folder);
}

/** Links the packages of `npm ci` into a folder for a build. Copies would take 200 MB. */
export function linkPackages(folder: string): void {
  for (const [path] of installedPackages()) {
    // Nested packages come with their parent.
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

/** Returns the packages of package-lock.json by path, without packages for other platforms. */
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
