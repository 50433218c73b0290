import { join } from 'node:path';
import type { OpenLedgerOptions } from '../ledger/open-ledger.ts';
import { hasLedgerFiles } from '../ledger/store/ledger-folder.ts';
import { MemoryStore } from '../ledger/store/memory-store.ts';

type Place = OpenLedgerOptions['place'];

/** Where the ledgers of a stack are stored. */
export interface LedgerHome {
  /** Absolute path of the folder; null in memory. */
  readonly folder: string | null;
  /** Makes both places create a new ledger. */
  reset(): void;
  /** The place of the base ledger. */
  base(transactionsMax: number): Place;
  /**
   * The place of the rollup.
   *
   * @param mustExist whether the base ledger shows that a rollup was created there.
   */
  rollup(transactionsMax: number, mustExist: boolean): Place;
}

/** The folder of the rollup inside that of its base ledger. */
export const rollupFolderOf = (folder: string): string => join(folder, 'rollup');

/** Stores both ledgers in a folder. */
export function homeInFolder(folder: string): LedgerHome {
  const rollupFolder = rollupFolderOf(folder);
  let reset = false;
  return {
    folder,
    reset: () => void (reset = true),
    // A rollup folder exists only if the base ledger was already on disk.
    base: (transactionsMax) => ({
      folder,
      transactionsMax,
      mustExist: !reset && hasLedgerFiles(rollupFolder),
      reset,
    }),
    rollup: (transactionsMax, mustExist) => ({
      folder: rollupFolder,
      transactionsMax,
      mustExist: !reset && mustExist,
      reset,
    }),
  };
}

/** Two ledgers in memory. */
export interface MemoryStores {
  readonly base: MemoryStore;
  readonly rollup: MemoryStore;
}

/**
 * Stores both ledgers in memory.
 *
 * @param stores the ledgers; by default new ones.
 */
export function homeInMemory(
  stores: MemoryStores = { base: new MemoryStore(), rollup: new MemoryStore() },
): LedgerHome {
  return {
    folder: null,
    // A reset uses another home.
    reset: () => undefined,
    base: () => ({ store: stores.base }),
    rollup: () => ({ store: stores.rollup }),
  };
}
