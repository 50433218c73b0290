import { readKeptRecord } from './earlier-record.ts';
import type { LmdbTables } from '../lmdb-tables.ts';
import { decodePosition } from '../record-position.ts';
import type { EncodedRecord } from '../encoded-commit.ts';
import { writeRecords } from './write-records.ts';

/** Transactions of an earlier format moved in one step, and bytes of them. */
const MOVED_AT_ONCE = { count: 512, bytes: 4 * 1024 * 1024 } as const;

/**
 * Moves the oldest transactions of an earlier format to where they are now. Call only inside a transaction of
 * the file. What found them is dropped with the last of them.
 */
export function moveOldestRecords(tables: LmdbTables): void {
  const { records } = tables;
  const moved: EncodedRecord[] = [];
  let bytes = 0;
  // Listed before anything is removed, because removals move the cursor.
  const next = [...records.range({ limit: MOVED_AT_ONCE.count })];
  for (const [key, value] of next) {
    if (bytes >= MOVED_AT_ONCE.bytes) break;
    bytes += value.length;
    moved.push(readKeptRecord(decodePosition(key), value));
    records.remove(key);
  }
  writeRecords(tables, moved);
  if (records.count > 0) return;
  tables.signatures.clear();
  tables.naming.clear();
}
