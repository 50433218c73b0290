import { addressBytes } from '../../../solana/address.ts';
import { readNames, readSignature } from '../record/compact-record.ts';
import { comparePositions, decodePosition, encodePosition, LAST_POSITION } from '../record-position.ts';
import type { HistoryPage, RecordPosition } from '../store.ts';
import { positionsUnder } from './mentions.ts';
import { decodePositions, ORIGIN } from './position-list.ts';
import { shortKey } from './short-key.ts';
import type { LmdbTables } from '../lmdb-tables.ts';
import type { HistoryTables } from './write-records.ts';

/**
 * The encoded transaction with a signature of 64 bytes; undefined if there is none.
 *
 * @param firstSlot those of earlier slots are forgotten; as with the others here.
 * @throws {ServiceError} LEDGER_DAMAGED, as do the others.
 */
export function findSigned(
  tables: HistoryTables & Pick<LmdbTables, 'assertNothingAt'>,
  signature: Uint8Array,
  firstSlot: number,
): Buffer | undefined {
  const key = shortKey(signature);
  const found = tables.signed.get(key);
  if (found === undefined) {
    // Whoever is told that it has not landed may pay once more.
    tables.assertNothingAt(tables.signed, key);
    return undefined;
  }
  for (const position of decodePositions(found, ORIGIN).toReversed()) {
    if (position.slot < firstSlot) continue;
    const value = valueAt(tables, position);
    if (Buffer.compare(readSignature(value), signature) === 0) return value;
  }
  return undefined;
}

/**
 * Encoded transactions of slots from `first` on, in order; only those before the position `end`, if given.
 */
export function* recordsBetween(
  { history }: HistoryTables,
  first: number,
  end: RecordPosition | null,
): Iterable<Buffer> {
  const start = encodePosition({ slot: first, index: 0 });
  const range = { start, end: end === null ? LAST_POSITION : encodePosition(end) };
  for (const [, value] of history.range(range)) yield value;
}

/** The last `limit` encoded transactions, newest first; only those before the position `end`, if given. */
export function newestRecords(
  { history }: HistoryTables,
  limit: number,
  end: RecordPosition | null,
  firstSlot: number,
): Buffer[] {
  const start = end === null ? LAST_POSITION : encodePosition(end);
  const newest: Buffer[] = [];
  for (const [key, value] of history.range({ start, reverse: true })) {
    const position = decodePosition(key);
    if (position.slot < firstSlot || newest.length >= limit) break;
    if (end !== null && comparePositions(position, end) >= 0) continue;
    newest.push(value);
  }
  return newest;
}

/** The encoded transactions of one page of an address's history, newest first. */
export function recordsNaming(
  tables: HistoryTables,
  { address, before, until, limit }: HistoryPage,
  firstSlot: number,
): Buffer[] {
  const bytes = addressBytes(address);
  const range = { ...(before && { before }), ...(until && { until }) };
  const page: Buffer[] = [];
  if (limit <= 0) return page;
  for (const position of positionsUnder(tables.mentions, shortKey(bytes), range)) {
    // It was forgotten, and so were all older ones.
    if (position.slot < firstSlot) break;
    const value = valueAt(tables, position);
    if (!readNames(value).names.some((name) => Buffer.compare(name, bytes) === 0)) continue;
    page.push(value);
    if (page.length >= limit) break;
  }
  return page;
}

function valueAt({ history }: HistoryTables, position: RecordPosition): Buffer {
  const value = history.get(encodePosition(position));
  if (value !== undefined) return value;
  throw history.damaged(`nothing is stored for slot ${position.slot}, index ${position.index}`);
}
