import { type Database, open, type RootDatabase } from 'lmdb';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, isGateway } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import { assertLmdbFile, commitFailure } from '../ledger/store/lmdb-file.ts';
import type { Logger } from '../ports/logger.ts';
import { MemoryTables, type Table, type Tables } from '../ports/tables.ts';
import { IdempotencyKeys, KeyStore } from '../service/rest/idempotency-keys.ts';
import type { Ports, Resource } from './node.ts';
import type { Nodes } from './nodes.ts';

/** The file in the data folder. LMDB's reader table is in a second file with the suffix `-lock`. */
const FILE = 'shared.mdb';

/** The state that all processes of a service share. */
export interface SharedState extends Resource {
  readonly tables: Tables;
  readonly idempotencyKeys: IdempotencyKeys;
}

/**
 * Opens the shared state in the data folder, or in memory without one. Stored responses survive restarts
 * while the base ledger is the same.
 *
 * @throws {ServiceError} the errors of LmdbTables.
 */
export function openSharedState(
  config: Pick<Config, 'dataDir' | 'ledgerUpstreamUrl'>,
  { base, dataFolder, ledgers }: Pick<Nodes, 'base' | 'dataFolder' | 'ledgers'>,
  ports: Ports,
): SharedState {
  // A gateway has no ledger in the folder. A service without a node has only one client, over stdio.
  const folder = isGateway(config) && base !== null ? config.dataDir : dataFolder;
  const onDisk = folder === null ? null : new LmdbTables(join(folder, FILE), ports.logger);
  const tables: Tables = onDisk ?? new MemoryTables();
  const about = (): string => ledgers?.base.genesisHash ?? '';
  return {
    tables,
    idempotencyKeys: new IdempotencyKeys(new KeyStore(tables, ports.clock), ports.logger, about),
    close: () => onDisk?.close(),
  };
}

/** File and folder modes: only the owner has access, as for the ledgers. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

const TABLES_MAX = 16;

/** Tables in an LMDB file, which all processes of the machine can share. */
export class LmdbTables implements Tables {
  readonly #root: RootDatabase;
  readonly #tables = new Map<string, Table<unknown>>();

  /**
   * Opens or creates the file. An unreadable file is replaced and logged, because its data expires within a
   * day.
   *
   * @throws {ServiceError} CONFIG_INVALID if the system denies access.
   */
  constructor(file: string, logger: Logger) {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE });
      this.#root = openFile(file, logger);
      chmodSync(file, FILE_MODE);
    } catch (error) {
      if (!isOfSystem(error)) throw error;
      const { code } = error as NodeJS.ErrnoException;
      throw new ServiceError(
        'CONFIG_INVALID',
        `${file} in DATA_DIR cannot be opened (${code ?? 'unknown reason'}): give this user write permission, or choose another folder`,
        {},
        { cause: error as Error },
      );
    }
  }

  open<Value>(name: string): Table<Value> {
    const table = this.#tables.get(name) ?? lmdbTable(this.#root.openDB<Value, string>({ name }));
    this.#tables.set(name, table as Table<unknown>);
    return table as Table<Value>;
  }

  async change<T>(change: () => T): Promise<T> {
    try {
      return await this.#root.transaction(change);
    } catch (error) {
      throw await commitFailure(error);
    }
  }

  /** Closes the file. Resolves when everything is on disk. No change may be in progress. */
  async close(): Promise<void> {
    await this.#root.close();
  }
}

function lmdbTable<Value>(database: Database<Value, string>): Table<Value> {
  const list = (limit?: number): readonly (readonly [string, Value])[] =>
    [...database.getRange(limit === undefined ? {} : { limit })].map(({ key, value }) => [key, value]);
  return {
    get: (key) => database.get(key),
    // Takes effect immediately inside a transaction, and is rolled back with it.
    put: (key, value) => void database.put(key, value),
    remove: (key) => void database.remove(key),
    first: () => list(1)[0],
    entries: () => list(),
  };
}

function openFile(file: string, logger: Logger): RootDatabase {
  const openIt = (): RootDatabase => {
    assertLmdbFile(file);
    return open({ path: file, noSubdir: true, maxDbs: TABLES_MAX });
  };
  try {
    return openIt();
  } catch (error) {
    if (isOfSystem(error)) throw error;
    logger.warn({ err: error, file }, 'the shared state cannot be read and is deleted');
    for (const each of [file, `${file}-lock`]) rmSync(each, { force: true });
    return openIt();
  }
}

/** Whether an error comes from the system and not from the file. LMDB reports these as positive numbers. */
function isOfSystem(error: unknown): boolean {
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  return syscall !== undefined || (typeof code === 'number' && code > 0);
}
