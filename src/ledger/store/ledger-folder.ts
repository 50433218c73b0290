import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Random, systemRandom } from '../../ports/random.ts';
import { lockFolder } from './folder-lock.ts';
import { FolderStore, type FolderStoreParts } from './folder-store.ts';
import { TRANSACTIONS_MAX } from './history-limit.ts';
import { FolderFiles } from './journal/folder-files.ts';
import { isJournalFile } from './journal/segment-name.ts';
import { type ForgottenHistory, LedgerDatabase } from './ledger-database.ts';
import { makeFolder } from './make-folder.ts';
import type { LedgerStore } from './store.ts';
import { TAKE_OVER_LIMITS, type TakeOverLimits } from './take-over.ts';

/** LMDB's data file. Its reader table is in a file of the same name with `-lock` appended. */
const DATA_FILE = 'ledger.mdb';
/** Exists while a ledger is being removed. */
const RESET_MARK = 'ledger.reset';
const DATABASE_FILES = new Set([DATA_FILE, `${DATA_FILE}-lock`]);

/** How to open a ledger folder. */
interface LedgerFolderOptions {
  /** Logs a warning if the end of the journal was cut off. */
  readonly logger: Logger;
  /** How many transactions are kept; default one million. The oldest slots are dropped first. */
  readonly transactionsMax?: number;
  /**
   * Whether a ledger must exist here because another one was built on it; an empty folder is then damaged.
   * Default false.
   */
  readonly mustExist?: boolean;
  readonly random?: Random;
  /** When the database takes over journal entries. */
  readonly limits?: TakeOverLimits;
}

/**
 * Opens the ledger in a folder, creating the folder if it is missing. The folder is locked until the store
 * closes.
 *
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE, LEDGER_FOLDER_UNREADABLE, LEDGER_DAMAGED.
 */
export function openLedgerFolder(folder: string, options: LedgerFolderOptions): LedgerStore {
  const {
    logger,
    transactionsMax = TRANSACTIONS_MAX,
    mustExist = false,
    random = systemRandom,
    limits = TAKE_OVER_LIMITS,
  } = options;
  const path = resolve(folder);
  return namingFolder(path, () => {
    makeFolder(path);
    let store: FolderStore | undefined;
    // Two writers would destroy the journal, so a store that has lost its lock writes nothing more.
    const lock = lockFolder(path, () => store?.halt(new Error('another process took the folder over')));
    let database: LedgerDatabase | undefined;
    try {
      // A reset was interrupted, and what is left is only a part of a ledger.
      if (existsSync(join(path, RESET_MARK))) removeLedger(path);
      const file = join(path, DATA_FILE);
      database = new LedgerDatabase(file, transactionsMax);
      // The file contains the seeds of the ledger's keys.
      chmodSync(file, 0o600);
      const parts = { database, files: new FolderFiles(path), random, logger, limits, mustExist };
      store = new LockedStore(parts, () => lock.release());
      return store;
    } catch (error) {
      const closing = database?.close();
      // The format mark of a new file may still be on its way to the disk.
      if (closing === undefined) lock.release();
      else void closing.finally(() => lock.release());
      throw error;
    }
  });
}

/**
 * Has the ledger in a folder, which is not open, count transactions that were forgotten before it was written
 * there.
 *
 * @throws {ServiceError} as {@link openLedgerFolder}.
 */
export async function noteForgotten(folder: string, history: ForgottenHistory): Promise<void> {
  const path = resolve(folder);
  const lock = namingFolder(path, () => lockFolder(path));
  try {
    const database = namingFolder(path, () => new LedgerDatabase(join(path, DATA_FILE), TRANSACTIONS_MAX));
    try {
      await database.noteForgotten(history);
    } catch (error) {
      throw unusableFolder(path, error);
    } finally {
      await database.close();
    }
  } finally {
    lock.release();
  }
}

/** Whether a folder contains files of a ledger, whatever their contents. */
export function hasLedgerFiles(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some(isLedgerFile);
}

/** Whether {@link resetLedgerFolder} was interrupted there. If so, call it again. */
export function isBeingReset(folder: string): boolean {
  return existsSync(join(folder, RESET_MARK));
}

/**
 * Removes the ledger in a folder and the ledgers `onTop` of it, which mean nothing without it. Other files
 * stay; a missing folder is fine.
 *
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE, LEDGER_FOLDER_UNREADABLE.
 */
export function resetLedgerFolder(folder: string, onTop: readonly string[] = []): void {
  const path = resolve(folder);
  if (!existsSync(path)) return;
  namingFolder(path, () => {
    const lock = lockFolder(path);
    try {
      // The ledgers on top go first. Crash case: otherwise one of them could outlive its base.
      removeLedger(path, () => onTop.forEach((each) => resetLedgerFolder(each)));
    } finally {
      lock.release();
    }
  });
}

/**
 * Removes file by file. Crash case: the process dies after the first file. A mark file, written before
 * anything is removed (`first` included) and removed last, makes the next start finish the work.
 */
function removeLedger(folder: string, first: () => void = () => {}): void {
  const files = new FolderFiles(folder);
  files.keep(RESET_MARK, Buffer.alloc(0));
  first();
  for (const name of files.names()) if (isLedgerFile(name)) files.remove(name);
  files.remove(RESET_MARK);
}

function isLedgerFile(name: string): boolean {
  return DATABASE_FILES.has(name) || isJournalFile(name);
}

class LockedStore extends FolderStore {
  readonly #unlock: () => void;

  constructor(parts: FolderStoreParts, unlock: () => void) {
    super(parts);
    this.#unlock = unlock;
  }

  override async close(): Promise<void> {
    try {
      await super.close();
    } finally {
      this.#unlock();
    }
  }
}

/** Adds the folder and a remedy to an error. */
function namingFolder<T>(folder: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw unusableFolder(folder, error);
  }
}

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
