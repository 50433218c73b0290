import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { DUMPS_PACKAGE, type DumpsPackage } from './dumps-package.ts';

/** The folders that are searched for dumps, in this order. */
export interface DumpFolders {
  /** The installed npm package; null if it is not installed. */
  readonly installed: string | null;
  /** The cache of this user for fetched dumps. */
  readonly cache: string;
}

/** The folders on this machine. */
export function findDumpFolders(env: NodeJS.ProcessEnv = process.env): DumpFolders {
  const { name, version } = DUMPS_PACKAGE;
  const kept = `${name.replace(/^.*\//, '')}-${version}`;
  return { installed: findInstalled(), cache: join(cacheHome(env), 'spl-private-payments', kept) };
}

/**
 * A dump from the first folder that has it with the right checksum; null if none does. An installed package
 * may be of another version, and a cached file may be damaged.
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

/** Whether the bytes have the expected SHA-256. */
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
 * The folder for caches: XDG Base Directory Specification, which ignores a relative path; Apple's on macOS.
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
    // Containers run as users that the system does not list; their HOME usually is this.
    return '/';
  }
}

function readIfThere(path: string): Uint8Array | null {
  try {
    return new Uint8Array(readFileSync(path));
  } catch {
    // Any error means the same: the dump is not available here.
    return null;
  }
}
