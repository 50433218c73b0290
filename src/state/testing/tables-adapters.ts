import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../ledger/testing/temporary-folder.ts';
import { silentLogger } from '../../ports/logger.ts';
import { MemoryTables, type Tables } from '../../ports/tables.ts';
import { LmdbTables } from '../lmdb-tables.ts';

/** Opens tables in a new file that is removed at the end of the test. */
function openLmdb(): Tables {
  const tables = new LmdbTables(join(temporaryFolder(), 'shared.mdb'), silentLogger);
  onTestFinished(() => tables.close());
  return tables;
}

/** All adapters of the port. Tests run on each of them. */
export const TABLES_ADAPTERS: readonly (readonly [string, () => Tables])[] = [
  ['memory', () => new MemoryTables()],
  ['LMDB', openLmdb],
];
