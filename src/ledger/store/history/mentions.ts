import { comparePositions, decodePosition, encodePosition, LAST_POSITION } from '../record-position.ts';
import type { SealedTable } from '../sealed-table.ts';
import type { RecordPosition } from '../store.ts';
import { decodePositions, encodePositions } from './position-list.ts';
import { SHORT_KEY_BYTES } from './short-key.ts';

/** Entries read to find those that can be removed: mostly the first stays. */
const LOOKED_AT_ONCE = 2;

/** Positions in one entry, at most. The newest entry of an address is written again as it grows. */
const POSITIONS_MAX = 64;

/** Positions that one entry has, in ascending order; its key ends in the first of them. */
interface Entry {
  readonly key: Buffer;
  readonly positions: readonly RecordPosition[];
}

/** Which of an address's positions are wanted; the bounds are exclusive. */
interface MentionRange {
  readonly before?: RecordPosition;
  readonly until?: RecordPosition;
}

/**
 * The positions that are kept under the short key of an address, newest first. Other addresses may share it.
 */
export function* positionsUnder(
  table: SealedTable,
  key: Buffer,
  { before, until }: MentionRange = {},
): Iterable<RecordPosition> {
  for (const { positions } of entriesOf(table, key, before)) {
    for (let at = positions.length - 1; at >= 0; at--) {
      const position = positions[at] as RecordPosition;
      if (before !== undefined && comparePositions(position, before) >= 0) continue;
      if (until !== undefined && comparePositions(position, until) <= 0) return;
      yield position;
    }
  }
}

/**
 * Adds positions to those under a short key.
 *
 * @param added in ascending order, and behind all that are there.
 */
export function addPositions(table: SealedTable, key: Buffer, added: readonly RecordPosition[]): void {
  const [newest] = entriesOf(table, key);
  const isOpen = newest !== undefined && newest.positions.length < POSITIONS_MAX;
  const positions = isOpen ? [...newest.positions, ...added] : added;
  for (let at = 0; at < positions.length; at += POSITIONS_MAX) {
    const [first, ...others] = positions.slice(at, at + POSITIONS_MAX) as [
      RecordPosition,
      ...RecordPosition[],
    ];
    table.put(Buffer.concat([key, encodePosition(first)]), encodePositions(others, first));
  }
}

/**
 * Removes the entries under a short key whose positions are all among those up to `last`. An entry that has
 * later ones stays as it is until these go too.
 */
export function dropPositions(table: SealedTable, key: Buffer, last: RecordPosition): void {
  const end = Buffer.concat([key, LAST_POSITION]);
  for (;;) {
    // Listed before anything is removed, because removals move the cursor.
    const oldest = [...table.range({ start: key, end, limit: LOOKED_AT_ONCE })];
    for (const [place, value] of oldest) {
      const { positions } = entryOf(place, value);
      if (comparePositions(positions.at(-1) as RecordPosition, last) > 0) return;
      table.remove(place);
    }
    if (oldest.length < LOOKED_AT_ONCE) return;
  }
}

/** Entries under a short key, the newest first: only those that have positions before `before`. */
function* entriesOf(table: SealedTable, key: Buffer, before?: RecordPosition): Iterable<Entry> {
  const start = Buffer.concat([key, before === undefined ? LAST_POSITION : encodePosition(before)]);
  for (const [place, value] of table.range({ start, end: key, reverse: true })) yield entryOf(place, value);
}

function entryOf(key: Buffer, value: Buffer): Entry {
  const first = decodePosition(key, SHORT_KEY_BYTES);
  return { key, positions: [first, ...decodePositions(value, first)] };
}
