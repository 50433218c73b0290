import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { ServiceError } from '../errors/service-error.ts';
import { assertLmdbFile } from '../ledger/store/lmdb-file.ts';
import type { Logger } from '../ports/logger.ts';
import type { Table, Tables } from '../ports/tables.ts';

/** Only its owner may read the file, as all others of the folder. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** More than there are. */
const TABLES_MAX = 16;

/** Tables in an LMDB file, which processes of one machine have open together. */
export class LmdbTables implements Tables {
  readonly #root: RootDatabase;
  readonly #tables = new Map<string, Table<unknown>>();

  /**
   * Opens the file, creating it and its folder if they are missing. One that cannot be read is begun anew,
   * and the log says so: what is kept in it holds for a day at most.
   *
   * @throws {ServiceError} CONFIG_INVALID where the system refuses it.
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
        `DATA_DIR has to take a file, and ${file} cannot be opened (${code ?? 'unknown reason'}): let this user write there, or choose another folder`,
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
      throw await reasonOf(error);
    }
  }

  /** Resolves when everything is on the disk and the file is closed. No change may be under way. */
  async close(): Promise<void> {
    await this.#root.close();
  }
}

function lmdbTable<Value>(database: Database<Value, string>): Table<Value> {
  const list = (limit?: number): readonly (readonly [string, Value])[] =>
    [...database.getRange(limit === undefined ? {} : { limit })].map(({ key, value }) => [key, value]);
  return {
    get: (key) => database.get(key),
    // Within a transaction it is done at once, and fails with it.
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
    logger.warn({ err: error, file }, 'what is kept for a day at most cannot be read and is forgotten');
    for (const each of [file, `${file}-lock`]) rmSync(each, { force: true });
    return openIt();
  }
}

/**
 * Whether the system refused something, which says nothing about the file. LMDB gives it a positive number.
 */
function isOfSystem(error: unknown): boolean {
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  return syscall !== undefined || (typeof code === 'number' && code > 0);
}

/**
 * LMDB reports why a commit failed through a separate promise, which ends the process if it is not handled.
 */
async function reasonOf(failure: unknown): Promise<unknown> {
  const { commitError } = failure as { commitError?: Promise<never> };
  return commitError === undefined ? failure : commitError.catch((reason: unknown) => reason);
}
