import { chmodSync, closeSync, existsSync, fsyncSync, openSync, rmSync, truncateSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { unpackAccount, unpackRecord } from './codec.ts';
import { ledgerDamaged } from './damage.ts';
import { countOf, FolderStore, type LedgerTables, TABLE_NAMES } from './folder-store.ts';
import { TRANSACTIONS_MAX } from './history-limit.ts';
import { type LmdbRoot, type LmdbTable, openLmdbFile } from './lmdb-file.ts';
import { makeFolder } from './make-folder.ts';
import type { LedgerStore } from './store.ts';

/** LMDB's data file. Its table of readers is in a file of the same name with `-lock` appended. */
const DATA_FILE = 'ledger.mdb';

/** Changes with the format of anything written. Folders of another version are refused. */
const FORMAT = 1;

/** Keys of the table of metadata. */
const FORMAT_KEY = 'format';
const HOLDER_KEY = 'holder';

/** How long a holder that is being killed is waited for, ms. */
const DYING_MS_MAX = 1_000;
const DYING_STEP_MS = 20;

/** Files held by this very process: its own reader says nothing. */
const heldHere = new Set<string>();

/** How to open a ledger folder. */
interface LedgerFolderOptions {
  /** How many transactions are kept; default one million. The oldest slots are dropped first. */
  readonly transactionsMax?: number;
  /**
   * Whether a ledger must exist here because another one was built on it; an empty folder is then damaged.
   * Default false.
   */
  readonly mustExist?: boolean;
  /** Whether a file that cannot be read is removed, as a new ledger is to begin there. Default false. */
  readonly reset?: boolean;
}

/**
 * Opens the ledger in a folder, creating the folder if it is missing. It is this process's alone until the
 * store closes.
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
      throw ledgerDamaged(place, 'a ledger had begun there, and nothing of it is left');
    }
    heldHere.add(file);
    return store;
  } catch (error) {
    throw unusableFolder(path, error);
  }
}

/**
 * Copies the ledgers of folders, as they are at one moment, into other folders. They may be in use by other
 * processes: what these write waits until the copies are on the disk.
 *
 * @param folders from where to where.
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
      // Nobody else writes during a transaction, and the copies of all are made in the innermost one.
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

/** Has a file, or the names in a folder, on the disk. */
function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a folder contains the file of a ledger, whatever its contents. */
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
    // One of another container with the same number, beside which this process cannot be a reader.
    if (isReader(readers, process.pid)) throw inUse(folder, process.pid);
    // The file contains the seeds of the ledger's keys.
    chmodSync(file, 0o600);
    const tables = ledgerTables(root, folder);
    if (bytes < bytesDue) assertAllThere(tables);
    return tables;
  } catch (error) {
    void root.close();
    if (bytes >= bytesDue || isServiceError(error)) throw error;
    // Nothing was changed.
    truncateSync(file, bytes);
    throw ledgerDamaged(
      { folder, file: DATA_FILE, offset: bytes },
      'the file ends there, and more came after it',
    );
  }
}

/** Opens the tables of a ledger that no other process has. */
function ledgerTables(root: LmdbRoot, folder: string): LedgerTables {
  const meta = openMeta(root);
  const tables = TABLE_NAMES.map((name) => [name, root.openDB(name, { encoding: 'binary' })] as const);
  // Only now: where a table is opened, lmdb-js is no reader until the next read.
  takeHold(root, meta, folder);
  return { root, meta, ...Object.fromEntries(tables) } as LedgerTables;
}

/** The table that says that it is a ledger, and of which format. */
function openMeta(root: LmdbRoot): LmdbTable {
  const names = [...root.getKeys()];
  if (names.length > 0 && !names.includes('meta')) throw new Error('its file is one of another program');
  const meta: LmdbTable = root.openDB('meta', { encoding: 'binary' });
  // The transaction that makes the table need not be the one that says this.
  const isNew = countOf(meta) === 0;
  if (isNew) root.transactionSync(() => void meta.put(FORMAT_KEY, Buffer.of(FORMAT)));
  const format = meta.get(FORMAT_KEY);
  if (format?.length === 1 && format[0] === FORMAT) return meta;
  const other = format?.length === 1 ? `format ${String(format[0])}` : 'another format';
  throw new Error(`it has ${other}, and this release reads format ${FORMAT}`);
}

/**
 * Takes the ledger for this process. Who has it is known by its entry in LMDB's table of readers, which LMDB
 * keeps by a lock of the system on the file: that ends with its process, and is seen from other containers.
 *
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE naming the process that has it.
 */
function takeHold(root: LmdbRoot, meta: LmdbTable, folder: string): void {
  // Makes this process a reader, which it is until the file is closed.
  meta.get(HOLDER_KEY);
  for (let waitedMs = 0; ; waitedMs += DYING_STEP_MS) {
    // One process at a time, so that no two find it free.
    const holder = root.transactionSync(() => {
      const pid = Number(meta.get(HOLDER_KEY)?.toString() ?? Number.NaN);
      root.readerCheck();
      if (pid !== process.pid && isReader(root.readerList(), pid)) return pid;
      void meta.put(HOLDER_KEY, Buffer.from(String(process.pid)));
      return null;
    });
    if (holder === null) return;
    if (waitedMs >= DYING_MS_MAX) throw inUse(folder, holder);
    // Blocks this thread: a folder is opened before anything else happens.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, DYING_STEP_MS);
  }
}

/** Whether LMDB's table of readers, a line for each that begins with its process, has one. */
const isReader = (list: string, pid: number): boolean =>
  list.split('\n').some((line) => Number.parseInt(line, 10) === pid);

/** Reads everything. @throws the error of LMDB, or of a value, for what is not there. */
function assertAllThere(tables: LedgerTables): void {
  for (const { value } of tables.accounts.getRange()) unpackAccount(value);
  for (const { value } of tables.records.getRange()) unpackRecord(value);
  for (const name of ['meta', 'signatures', 'mentions', 'messages'] as const) {
    for (const { value } of tables[name].getRange()) void value;
  }
}

function inUse(folder: string, pid: number): ServiceError {
  return new ServiceError(
    'LEDGER_FOLDER_IN_USE',
    `The ledger in ${folder} is held by process ${pid}. Stop that process, or choose another folder with DATA_DIR`,
    { folder, pid },
  );
}

/** Adds the folder and a remedy to an error. */
function unusableFolder(folder: string, error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  const noFolder = NO_FOLDER[(error as { code: string }).code];
  const remedy = isFaultOfPlace(error)
    ? 'see to it that this user may write there and that there is room'
    : 'start with --reset to begin a new ledger there';
  return new ServiceError(
    'LEDGER_FOLDER_UNREADABLE',
    `The ledger in ${folder} cannot be used: ${noFolder ?? (error as Error).message}. Choose another folder with DATA_DIR${noFolder === undefined ? `, or ${remedy}` : ''}`,
    { folder },
    { cause: error },
  );
}

/** Where no folder can be made, whoever asks. */
const NO_FOLDER: Readonly<Record<string, string>> = {
  EEXIST: 'a file stands there, or above it',
  ENOTDIR: 'a file stands there, or above it',
  ENOENT: 'the system makes no folder there',
};

/** Faults of the folder rather than of the ledger in it: a new ledger there would fail in the same way. */
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
  // LMDB reports the errno where Node reports its name.
  FAULTS_OF_PLACE.flatMap((name) => [name, constants.errno[name]]),
);

function isFaultOfPlace(error: unknown): boolean {
  return FAULT_CODES_OF_PLACE.has((error as { code?: unknown }).code);
}
