import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { DUMPS_PACKAGE, type DumpsPackage } from './dumps-package.ts';

/** Where the dumps are looked for, one after the other. */
export interface DumpFolders {
  /** In the npm package, where it is installed beside this program. */
  readonly installed: string | null;
  /** Where this user keeps what was fetched. */
  readonly cache: string;
}

/** The folders of this machine. */
export function findDumpFolders(env: NodeJS.ProcessEnv = process.env): DumpFolders {
  const { name, version } = DUMPS_PACKAGE;
  const kept = `${name.replace(/^.*\//, '')}-${version}`;
  return { installed: findInstalled(), cache: join(cacheHome(env), 'spl-private-payments', kept) };
}

/**
 * The bytes of a dump from the first folder that has it as it has to be; null where none does. The package
 * that is installed may be of another version, and a kept file may have been damaged.
 */
export function findDump(
  file: string,
  { installed, cache }: DumpFolders,
  { dumps }: DumpsPackage = DUMPS_PACKAGE,
): Uint8Array | null {
  for (const folder of installed === null ? [cache] : [installed, cache]) {
    const bytes = readIfThere(join(folder, file));
    if (bytes !== null && isDump(bytes, dumps.get(file))) return bytes;
  }
  return null;
}

/** Whether the bytes are those that are known by their SHA-256. */
export function isDump(bytes: Uint8Array, sha256: string | undefined): boolean {
  return createHash('sha256').update(bytes).digest('hex') === sha256;
}

function findInstalled(): string | null {
  try {
    const packageFile = createRequire(import.meta.url).resolve(`${DUMPS_PACKAGE.name}/package.json`);
    return join(dirname(packageFile), DUMPS_PACKAGE.folder);
  } catch {
    return null;
  }
}

/**
 * The folder for caches (XDG Base Directory Specification, which has a relative path ignored; Apple's on
 * macOS).
 */
function cacheHome(env: NodeJS.ProcessEnv): string {
  const set = env['XDG_CACHE_HOME'] ?? '';
  if (isAbsolute(set)) return set;
  const own = process.platform === 'darwin' ? join('Library', 'Caches') : '.cache';
  return join(homeFolder(env), own);
}

function homeFolder(env: NodeJS.ProcessEnv): string {
  const set = env['HOME'] ?? '';
  if (isAbsolute(set)) return set;
  try {
    return userInfo().homedir;
  } catch {
    // Containers run users that the system has no entry of; this is what their HOME mostly is.
    return '/';
  }
}

function readIfThere(path: string): Uint8Array | null {
  try {
    return new Uint8Array(readFileSync(path));
  } catch {
    // Whatever it is, the file cannot be had from here.
    return null;
  }
}
