import { type HistoryTables, removeRecords } from './history/write-records.ts';
import { decodePosition, encodePosition } from './record-position.ts';

/** Bounds of one step. */
interface ForgettingLimits {
  /** How many transactions may stay. */
  readonly kept: number;
  /** Transactions of this slot and later ones stay in any case. */
  readonly slot: number;
  /** How many are removed at most. */
  readonly count: number;
}

/**
 * Removes the oldest transactions beyond the limit. Returns the first slot of which none was removed, or null
 * if nothing was. The rest of earlier slots is removed by later steps.
 */
export function forgetOldest(tables: HistoryTables, { kept, slot, count }: ForgettingLimits): number | null {
  const excess = Math.min(tables.history.count - kept, count);
  if (excess <= 0) return null;
  const end = encodePosition({ slot: Math.max(0, slot), index: 0 });
  // Listed before anything is removed, because removals move the cursor.
  const oldest = [...tables.history.range({ limit: excess, end })];
  removeRecords(tables, oldest);
  const last = oldest.at(-1);
  return last === undefined ? null : decodePosition(last[0]).slot + 1;
}
