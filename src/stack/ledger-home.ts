import { join } from 'node:path';
import type { OpenLedgerOptions } from '../ledger/open-ledger.ts';
import { hasLedgerFiles } from '../ledger/store/ledger-folder.ts';
import type { MemoryStore } from '../ledger/store/memory-store.ts';

type Place = OpenLedgerOptions['place'];

/** Two ledgers in memory. */
export interface MemoryStores {
  readonly base: MemoryStore;
  readonly rollup: MemoryStore;
}

/** The storage of a stack's ledgers: the absolute path of a folder, or memory. */
export type LedgerHome = { readonly folder: string } | MemoryStores;

/** Options for opening a stored ledger. They do not apply to ledgers in memory. */
interface PlaceOptions {
  readonly transactionsMax: number;
  /** Whether to replace the stored ledger with a new one. */
  readonly reset: boolean;
}

/** Returns the rollup's folder, which is inside the folder of its base ledger. */
export const rollupFolderOf = (folder: string): string => join(folder, 'rollup');

/** Returns the place of the base ledger. */
export function basePlace(home: LedgerHome, options: PlaceOptions): Place {
  if ('base' in home) return { store: home.base };
  // A rollup folder exists only if the base ledger was already on disk.
  const mustExist = !options.reset && hasLedgerFiles(rollupFolderOf(home.folder));
  return { folder: home.folder, mustExist, ...options };
}

/**
 * Returns the place of the rollup.
 *
 * @param isKnown whether a rollup was already created, according to the base ledger.
 */
export function rollupPlace(home: LedgerHome, isKnown: boolean, options: PlaceOptions): Place {
  if ('rollup' in home) return { store: home.rollup };
  return { folder: rollupFolderOf(home.folder), mustExist: !options.reset && isKnown, ...options };
}
