import { type Database, open, type RangeOptions, type RootDatabase } from 'lmdb';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ServiceError } from '../errors/service-error.ts';
import { assertLmdbFile, commitFailure } from '../ledger/store/lmdb-file.ts';
import type { Logger } from '../ports/logger.ts';
import type { Table, Tables } from '../ports/tables.ts';

/** File and folder modes: only the owner has access, as for the ledgers. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

const TABLES_MAX = 32;

/** Maximum length of a key, in bytes (lmdb-js, with pages of 4 KiB). */
const KEY_BYTES_MAX = 1_978;

/** Tables in an LMDB file, which all processes of the machine can share. */
export class LmdbTables implements Tables {
  readonly #root: RootDatabase;
  readonly #tables = new Map<string, Table<unknown>>();

  /**
   * Opens or creates the file. An unreadable file is replaced and logged, because its data expires within a
   * day.
   *
   * @param isLasting whether the data must not be lost: an unreadable file is then an error, and a change
   *   resolves when it is on disk.
   * @throws {ServiceError} CONFIG_INVALID if the system denies access, or if a lasting file is unreadable.
   */
  constructor(file: string, logger: Logger, isLasting = false) {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE });
      this.#root = openFile(file, logger, isLasting);
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
  const list = (range: RangeOptions): readonly (readonly [string, Value])[] =>
    [...database.getRange(range)].map(({ key, value }) => [key, value]);
  return {
    // Callers choose the keys that they look up. LMDB fails if a key is longer than its maximum.
    get: (key) => (Buffer.byteLength(key) > KEY_BYTES_MAX ? undefined : database.get(key)),
    // Takes effect immediately inside a transaction, and is rolled back with it.
    put: (key, value) => void database.put(key, value),
    remove: (key) => void database.remove(key),
    first: () => list({ limit: 1 })[0],
    lastBefore: (prefix, before, limit) =>
      list({ start: before, exclusiveStart: true, end: prefix, reverse: true, limit }),
    entries: () => list({}),
  };
}

function openFile(file: string, logger: Logger, isLasting: boolean): RootDatabase {
  const openIt = (): RootDatabase => {
    assertLmdbFile(file);
    // Without overlapping, a transaction resolves when it is on disk.
    return open({
      path: file,
      noSubdir: true,
      maxDbs: TABLES_MAX,
      ...(isLasting && { overlappingSync: false }),
    });
  };
  try {
    return openIt();
  } catch (error) {
    if (isOfSystem(error)) throw error;
    if (isLasting) throw unreadable(file, error as Error);
    logger.warn({ err: error, file }, 'the shared state cannot be read and is deleted');
    for (const each of [file, `${file}-lock`]) rmSync(each, { force: true });
    return openIt();
  }
}

const unreadable = (file: string, cause: Error): ServiceError =>
  new ServiceError(
    'CONFIG_INVALID',
    `${file} is damaged and cannot be read: restore it from a backup, or move it away to start without its data`,
    {},
    { cause },
  );

/** Whether an error comes from the system and not from the file. LMDB reports these as positive numbers. */
function isOfSystem(error: unknown): boolean {
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  return syscall !== undefined || (typeof code === 'number' && code > 0);
}
