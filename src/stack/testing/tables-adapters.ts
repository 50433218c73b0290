import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../ledger/testing/temporary-folder.ts';
import { silentLogger } from '../../ports/logger.ts';
import { MemoryTables, type Tables } from '../../ports/tables.ts';
import { LmdbTables } from '../shared-state.ts';

/** Tables in a new file that is removed when the test that asked for it is over. */
function openLmdb(): Tables {
  const tables = new LmdbTables(join(temporaryFolder(), 'shared.mdb'), silentLogger);
  onTestFinished(() => tables.close());
  return tables;
}

/** Every adapter of the port: what is tested on it has to hold for all. */
export const TABLES_ADAPTERS: readonly (readonly [string, () => Tables])[] = [
  ['memory', () => new MemoryTables()],
  ['LMDB', openLmdb],
];
