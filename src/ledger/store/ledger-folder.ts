import { chmodSync, closeSync, existsSync, fsyncSync, openSync, rmSync, truncateSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import {
  countOf,
  FolderStore,
  ledgerDamaged,
  type LedgerTables,
  TABLE_NAMES,
  unpackAccount,
  unpackRecord,
} from './folder-store.ts';
import { type LmdbRoot, type LmdbTable, openLmdbFile } from './lmdb-file.ts';
import { makeFolder } from './make-folder.ts';
import { type LedgerStore, TRANSACTIONS_MAX } from './store.ts';

/** LMDB's data file. The reader table is in a second file with the suffix `-lock`. */
const DATA_FILE = 'ledger.mdb';

/** Version of the stored format. Folders with a different version are rejected. */
const FORMAT = 1;

/** Keys in the metadata table. */
const FORMAT_KEY = 'format';
const HOLDER_KEY = 'holder';

/** Maximum wait for an exiting process that holds the ledger, in ms. */
const DYING_MS_MAX = 1_000;
const DYING_STEP_MS = 20;

/** Files that this process has open. LMDB's reader table does not show them. */
const heldHere = new Set<string>();

interface LedgerFolderOptions {
  /** Maximum number of stored transactions; default one million. The oldest slots are removed first. */
  readonly transactionsMax?: number;
  /** Whether to reject an empty folder as damaged, because another ledger was built on it. Default false. */
  readonly mustExist?: boolean;
  /** Whether to remove a file that cannot be read, because a new ledger replaces it. Default false. */
  readonly reset?: boolean;
}

/**
 * Opens the ledger in a folder, creating the folder if it is missing. No other process can open it until the
 * store is closed.
 *
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE, LEDGER_FOLDER_UNREADABLE, LEDGER_DAMAGED.
 */
export function openLedgerFolder(folder: string, options: LedgerFolderOptions = {}): LedgerStore {
  const { transactionsMax = TRANSACTIONS_MAX, mustExist = false, reset = false } = options;
  const path = resolve(folder);
  const file = join(path, DATA_FILE);
  if (heldHere.has(file)) throw inUse(path, process.pid);
  try {
    makeFolder(path);
    const tables = openTables(path, reset);
    const onClosed = (): void => void heldHere.delete(file);
    const store = new FolderStore({ tables, folder: path, file: DATA_FILE, transactionsMax, onClosed });
    if (mustExist && store.identity === null) {
      void tables.root.close();
      const place = { folder: path, file: DATA_FILE };
      throw ledgerDamaged(place, 'the stored ledger is missing');
    }
    heldHere.add(file);
    return store;
  } catch (error) {
    throw unusableFolder(path, error);
  }
}

/**
 * Copies ledger folders into other folders, all as of the same moment. Writes by other processes wait until
 * the copies are on disk.
 *
 * @param folders pairs of source and target.
 * @throws {ServiceError} LEDGER_FOLDER_UNREADABLE.
 */
export async function copyLedgerFiles(folders: readonly (readonly [string, string])[]): Promise<void> {
  const [first, ...others] = folders;
  if (first === undefined) return;
  const [from, to] = first;
  const file = join(to, DATA_FILE);
  try {
    makeFolder(to);
    const { root } = openLmdbFile(join(from, DATA_FILE), 1 + TABLE_NAMES.length);
    try {
      openMeta(root);
      // A transaction blocks other writers. All copies are made inside the innermost transaction.
      await root.transactionSync(async () => {
        await copyLedgerFiles(others);
        await root.backup(file, true);
      });
    } finally {
      await root.close();
    }
    chmodSync(file, 0o600);
    flush(file);
    flush(to);
  } catch (error) {
    throw unusableFolder(from, error);
  }
}

/** Flushes a file, or the entries of a folder, to disk. */
function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a folder contains the file of a ledger, valid or not. */
export function hasLedgerFiles(folder: string): boolean {
  return existsSync(join(folder, DATA_FILE));
}

function openTables(folder: string, reset: boolean): LedgerTables {
  try {
    return openFile(folder);
  } catch (error) {
    const isInUse = isServiceError(error) && error.code === 'LEDGER_FOLDER_IN_USE';
    if (!reset || isInUse || isFaultOfPlace(error)) throw error;
    for (const name of [DATA_FILE, `${DATA_FILE}-lock`]) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
    return openFile(folder);
  }
}

function openFile(folder: string): LedgerTables {
  const file = join(folder, DATA_FILE);
  const { root, bytes, bytesDue, readers } = openLmdbFile(file, 1 + TABLE_NAMES.length);
  try {
    // A process in another container has the same pid. LMDB allows only one reader per pid.
    if (isReader(readers, process.pid)) throw inUse(folder, process.pid);
    // The file contains the seeds of the ledger's keys.
    chmodSync(file, 0o600);
    const tables = ledgerTables(root, folder);
    if (bytes < bytesDue) assertComplete(tables);
    return tables;
  } catch (error) {
    void root.close();
    if (bytes >= bytesDue || isServiceError(error)) throw error;
    // Restores the size of the file, which `openLmdbFile` has extended.
    truncateSync(file, bytes);
    throw ledgerDamaged({ folder, file: DATA_FILE, offset: bytes }, 'the file is truncated there');
  }
}

/** Opens the tables and claims the ledger for this process. */
function ledgerTables(root: LmdbRoot, folder: string): LedgerTables {
  const meta = openMeta(root);
  const tables = TABLE_NAMES.map((name) => [name, root.openDB(name, { encoding: 'binary' })] as const);
  // Opening a table ends the reader entry of lmdb-js until the next read, so this comes last.
  takeHold(root, meta, folder);
  return { root, meta, ...Object.fromEntries(tables) } as LedgerTables;
}

/** Opens the table that identifies the file as a ledger, and checks its format. */
function openMeta(root: LmdbRoot): LmdbTable {
  const names = [...root.getKeys()];
  if (names.length > 0 && !names.includes('meta')) throw new Error('its file belongs to another program');
  const meta: LmdbTable = root.openDB('meta', { encoding: 'binary' });
  // An earlier open may have ended between creating the table and writing the format.
  const isNew = countOf(meta) === 0;
  if (isNew) root.transactionSync(() => void meta.put(FORMAT_KEY, Buffer.of(FORMAT)));
  const format = meta.get(FORMAT_KEY);
  if (format?.length === 1 && format[0] === FORMAT) return meta;
  const other = format?.length === 1 ? `format ${String(format[0])}` : 'another format';
  throw new Error(`it has ${other}, but this release reads format ${FORMAT}`);
}

/**
 * Claims the ledger for this process. A process holds the ledger while it has an entry in LMDB's reader
 * table. LMDB backs the entry with a file lock, which ends with the process and is visible in other
 * containers.
 *
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE naming the process that holds it.
 */
function takeHold(root: LmdbRoot, meta: LmdbTable, folder: string): void {
  // Makes this process a reader until the file is closed.
  meta.get(HOLDER_KEY);
  for (let waitedMs = 0; ; waitedMs += DYING_STEP_MS) {
    // The transaction prevents two processes from claiming it at once.
    const holder = root.transactionSync(() => {
      const pid = Number(meta.get(HOLDER_KEY)?.toString() ?? Number.NaN);
      root.readerCheck();
      if (pid !== process.pid && isReader(root.readerList(), pid)) return pid;
      void meta.put(HOLDER_KEY, Buffer.from(String(process.pid)));
      return null;
    });
    if (holder === null) return;
    if (waitedMs >= DYING_MS_MAX) throw inUse(folder, holder);
    // Blocking the thread is fine, because nothing else runs before the folder is open.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, DYING_STEP_MS);
  }
}

/** Whether a process is in LMDB's reader table, which has one line per reader that starts with its pid. */
const isReader = (list: string, pid: number): boolean =>
  list.split('\n').some((line) => Number.parseInt(line, 10) === pid);

/** Reads all values. @throws an error from LMDB or a codec if a value is missing. */
function assertComplete(tables: LedgerTables): void {
  for (const { value } of tables.accounts.getRange()) unpackAccount(value);
  for (const { value } of tables.records.getRange()) unpackRecord(value);
  for (const name of ['meta', 'signatures', 'mentions', 'messages'] as const) {
    for (const { value } of tables[name].getRange()) void value;
  }
}

function inUse(folder: string, pid: number): ServiceError {
  return new ServiceError(
    'LEDGER_FOLDER_IN_USE',
    `The ledger in ${folder} is in use by process ${pid}. Stop that process, or choose another folder with DATA_DIR`,
    { folder, pid },
  );
}

/** Adds the folder and a remedy to an error. */
function unusableFolder(folder: string, error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  const noFolder = NO_FOLDER[(error as { code: string }).code];
  const remedy = isFaultOfPlace(error)
    ? 'make sure that this user can write there and that the disk is not full'
    : 'start with --reset to create a new ledger there';
  return new ServiceError(
    'LEDGER_FOLDER_UNREADABLE',
    `The ledger in ${folder} cannot be used: ${noFolder ?? (error as Error).message}. Choose another folder with DATA_DIR${noFolder === undefined ? `, or ${remedy}` : ''}`,
    { folder },
    { cause: error },
  );
}

/** Errors that mean that no user can create the folder. */
const NO_FOLDER: Readonly<Record<string, string>> = {
  EEXIST: 'a file exists there or in place of a parent folder',
  ENOTDIR: 'a file exists there or in place of a parent folder',
  ENOENT: 'the system does not allow a folder there',
};

/** Errors caused by the folder and not by the ledger in it. A new ledger would fail too. */
const FAULTS_OF_PLACE = [
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOSPC',
  'EDQUOT',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
  'ELOOP',
  'ENAMETOOLONG',
] as const;
const FAULT_CODES_OF_PLACE = new Set<unknown>(
  // LMDB reports the errno, while Node reports its name.
  FAULTS_OF_PLACE.flatMap((name) => [name, constants.errno[name]]),
);

function isFaultOfPlace(error: unknown): boolean {
  return FAULT_CODES_OF_PLACE.has((error as { code?: unknown }).code);
}
