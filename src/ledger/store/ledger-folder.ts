import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Random, systemRandom } from '../../ports/random.ts';
import { lockFolder } from './folder-lock.ts';
import { FolderStore, type FolderStoreParts } from './folder-store.ts';
import { TRANSACTIONS_MAX } from './history-limit.ts';
import { FolderFiles } from './journal/folder-files.ts';
import { isJournalFile } from './journal/segment-name.ts';
import { LedgerDatabase } from './ledger-database.ts';
import type { LedgerStore } from './store.ts';
import { TAKE_OVER_LIMITS, type TakeOverLimits } from './take-over.ts';

/** LMDB's data file; it keeps its readers in one of the same name with `-lock` after it. */
const DATA_FILE = 'ledger.mdb';
const DATABASE_FILES = new Set([DATA_FILE, `${DATA_FILE}-lock`]);

/** How a ledger folder is opened. */
export interface LedgerFolderOptions {
  /** Is told when the end of the journal had to be cut off. */
  readonly logger: Logger;
  /** How many transactions are kept; a million when left out. The oldest slots are forgotten first. */
  readonly transactionsMax?: number;
  readonly random?: Random;
  /** When the database takes over what the journal has. */
  readonly limits?: TakeOverLimits;
}

/**
 * Opens the ledger kept in a folder, which is made when missing and is this process's alone until the store closes.
 *
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE, LEDGER_FOLDER_UNREADABLE, LEDGER_DAMAGED.
 */
export function openLedgerFolder(folder: string, options: LedgerFolderOptions): LedgerStore {
  const {
    logger,
    transactionsMax = TRANSACTIONS_MAX,
    random = systemRandom,
    limits = TAKE_OVER_LIMITS,
  } = options;
  const path = resolve(folder);
  return namingFolder(path, () => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const lock = lockFolder(path);
    let database: LedgerDatabase | undefined;
    try {
      const file = join(path, DATA_FILE);
      database = new LedgerDatabase(file, transactionsMax);
      // It holds the seeds of the ledger's keys.
      chmodSync(file, 0o600);
      const parts = { database, files: new FolderFiles(path), random, logger, limits };
      return new LockedStore(parts, () => lock.release());
    } catch (error) {
      void database?.close();
      lock.release();
      throw error;
    }
  });
}

/**
 * Removes the ledger kept in a folder, so that the next one starts afresh. Other files in the folder stay; a folder
 * that is not there is fine.
 *
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE, LEDGER_FOLDER_UNREADABLE.
 */
export function resetLedgerFolder(folder: string): void {
  const path = resolve(folder);
  if (!existsSync(path)) return;
  namingFolder(path, () => {
    const lock = lockFolder(path);
    try {
      for (const file of readdirSync(path)) {
        if (DATABASE_FILES.has(file) || isJournalFile(file)) rmSync(join(path, file), { force: true });
      }
    } finally {
      lock.release();
    }
  });
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

/** Says of which folder a failure is, and what helps. */
function namingFolder<T>(folder: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (isServiceError(error)) throw error;
    throw new ServiceError(
      'LEDGER_FOLDER_UNREADABLE',
      `The ledger in ${folder} cannot be used: ${(error as Error).message}. Choose another folder with DATA_DIR, or start with --reset to begin a new ledger there`,
      { folder },
      { cause: error },
    );
  }
}
