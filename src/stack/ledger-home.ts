import { join } from 'node:path';
import {
  type ProgramMemory,
  programsInFolder,
  programsInMemory,
} from '../ledger/network-programs/program-memory.ts';
import type { OpenLedgerOptions } from '../ledger/open-ledger.ts';
import { hasLedgerFiles } from '../ledger/store/ledger-folder.ts';
import { MemoryStore } from '../ledger/store/memory-store.ts';

type Place = OpenLedgerOptions['place'];

/** Where the ledgers of a stack are kept. */
export interface LedgerHome {
  /** Absolute path of its folder; null where it is the memory of this process. */
  readonly folder: string | null;
  /** What is kept of the programs of the base ledger. */
  readonly programs: ProgramMemory;
  /** Has both places ask for a new ledger, in place of what is there. */
  reset(): void;
  /** The place of the base ledger. */
  base(transactionsMax: number): Place;
  /**
   * The place of the rollup.
   *
   * @param mustExist whether something else shows that it was begun there.
   */
  rollup(transactionsMax: number, mustExist: boolean): Place;
}

/** The folder of the rollup, in that of its base ledger. */
export const rollupFolderOf = (folder: string): string => join(folder, 'rollup');

/** A folder, with that of the rollup in it. */
export function homeInFolder(folder: string): LedgerHome {
  const rollupFolder = rollupFolderOf(folder);
  let reset = false;
  return {
    folder,
    programs: programsInFolder(join(folder, 'programs')),
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

/** Two ledgers that are kept in memory. */
export interface MemoryStores {
  readonly base: MemoryStore;
  readonly rollup: MemoryStore;
}

/**
 * The memory of this process, of which nothing is left behind.
 *
 * @param stores what it holds; new ones when left out.
 * @param programs what is kept of the programs; nothing when left out.
 */
export function homeInMemory(
  stores: MemoryStores = { base: new MemoryStore(), rollup: new MemoryStore() },
  programs: ProgramMemory = programsInMemory(),
): LedgerHome {
  return {
    folder: null,
    programs,
    // A reset of this home is another home: nobody asks for one of this process to be thrown away.
    reset: () => undefined,
    base: () => ({ store: stores.base }),
    rollup: () => ({ store: stores.rollup }),
  };
}
