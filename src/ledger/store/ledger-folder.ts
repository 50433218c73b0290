import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { lockFolder } from './folder-lock.ts';
import { LmdbStore } from './lmdb-store.ts';
import type { LedgerStore } from './store.ts';

/** LMDB's data file; it keeps its readers in one of the same name with `-lock` after it. */
const DATA_FILE = 'ledger.mdb';
const OWN_FILES = [DATA_FILE, `${DATA_FILE}-lock`] as const;

/**
 * Opens the ledger kept in a folder, which is made when missing and is this process's alone until the store closes.
 *
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE, LEDGER_FOLDER_UNREADABLE.
 */
export function openLedgerFolder(folder: string): LedgerStore {
  const path = resolve(folder);
  return namingFolder(path, () => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const lock = lockFolder(path);
    try {
      const store = new LockedStore(join(path, DATA_FILE), () => lock.release());
      // It holds the seeds of the ledger's keys.
      chmodSync(join(path, DATA_FILE), 0o600);
      return store;
    } catch (error) {
      lock.release();
      throw error;
    }
  });
}

/**
 * Removes the ledger kept in a folder, so that the next one starts afresh. Other files in the folder stay; a folder
 * that is not there is fine.
 *
 * @throws {ServiceError} as {@link openLedgerFolder}.
 */
export function resetLedgerFolder(folder: string): void {
  const path = resolve(folder);
  if (!existsSync(path)) return;
  namingFolder(path, () => {
    const lock = lockFolder(path);
    try {
      for (const file of OWN_FILES) rmSync(join(path, file), { force: true });
    } finally {
      lock.release();
    }
  });
}

class LockedStore extends LmdbStore {
  readonly #unlock: () => void;

  constructor(file: string, unlock: () => void) {
    super(file);
    this.#unlock = unlock;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#unlock();
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
