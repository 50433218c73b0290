import { assertInvariant } from '../../../errors/assert-invariant.ts';
import { ADDRESS_BYTES, addressOf } from '../../../solana/address.ts';
import type { EncodedRecord } from '../encoded-commit.ts';
import type { LmdbTables } from '../lmdb-tables.ts';
import { decodeRecord, encodeRecord, isPresentRecord } from '../record-codec.ts';
import { comparePositions, decodePosition, encodePosition, LAST_POSITION } from '../record-position.ts';
import { readNames } from '../record/compact-record.ts';
import type { SealedTable } from '../sealed-table.ts';
import type { RecordPosition } from '../store.ts';
import { addPositions, dropPositions } from './mentions.ts';
import { decodePositions, encodePositions, ORIGIN } from './position-list.ts';
import { shortKey } from './short-key.ts';

/** The tables that transactions are in. */
export type HistoryTables = Pick<LmdbTables, 'history' | 'signed' | 'mentions'>;

/**
 * Writes transactions and what finds them.
 *
 * @param records in the order they landed, and later than all that are there.
 */
export function writeRecords(tables: HistoryTables, records: readonly EncodedRecord[]): void {
  const mentions = new Map<string, { readonly key: Buffer; readonly positions: RecordPosition[] }>();
  let last = newestPosition(tables.history);
  for (const record of records) {
    const { position, signature, addresses } = record;
    // LMDB leaves out what is appended and is not behind all others, and lmdb-js does not say so.
    assertInvariant(last === null || comparePositions(position, last) > 0, 'transactions land in order');
    last = position;
    tables.history.append(encodePosition(position), presentValue(record));
    addSigned(tables.signed, signature, position);
    for (let at = 0; at < addresses.length; at += ADDRESS_BYTES) {
      const key = shortKey(addresses.subarray(at, at + ADDRESS_BYTES));
      const text = key.toString('latin1');
      const mentioned = mentions.get(text);
      if (mentioned === undefined) mentions.set(text, { key, positions: [position] });
      // A record may name an address twice.
      else if (mentioned.positions.at(-1) !== position) mentioned.positions.push(position);
    }
  }
  for (const { key, positions } of mentions.values()) addPositions(tables.mentions, key, positions);
}

/**
 * Removes the oldest transactions and what finds them.
 *
 * @param records keys and values of the oldest in order.
 */
export function removeRecords(tables: HistoryTables, records: readonly (readonly [Buffer, Buffer])[]): void {
  const last = new Map<string, { readonly key: Buffer; readonly position: RecordPosition }>();
  for (const [place, value] of records) {
    const position = decodePosition(place);
    const { signature, names } = readNames(value);
    tables.history.remove(place);
    removeSigned(tables.signed, signature, position);
    for (const name of names) {
      const key = shortKey(name);
      last.set(key.toString('latin1'), { key, position });
    }
  }
  for (const { key, position } of last.values()) dropPositions(tables.mentions, key, position);
}

function newestPosition(history: SealedTable): RecordPosition | null {
  const [newest] = history.range({ start: LAST_POSITION, reverse: true, limit: 1 });
  return newest === undefined ? null : decodePosition(newest[0]);
}

/** The record as this release encodes it; a journal of an earlier one has it in another format. */
function presentValue({ value, signature, addresses }: EncodedRecord): Buffer {
  if (isPresentRecord(value)) return value;
  const names = Array.from({ length: addresses.length / ADDRESS_BYTES }, (_, at) =>
    addressOf(addresses.subarray(at * ADDRESS_BYTES, (at + 1) * ADDRESS_BYTES)),
  );
  return encodeRecord(decodeRecord(value), signature, names);
}

/** Positions under the short key of a signature: one, but for a chance in 2^64. */
function addSigned(signed: SealedTable, signature: Uint8Array, position: RecordPosition): void {
  const key = shortKey(signature);
  const others = signed.get(key);
  const positions = others === undefined ? [] : decodePositions(others, ORIGIN);
  signed.put(key, encodePositions([...positions, position], ORIGIN));
}

function removeSigned(signed: SealedTable, signature: Uint8Array, position: RecordPosition): void {
  const key = shortKey(signature);
  const found = signed.get(key);
  if (found === undefined) return;
  const others = decodePositions(found, ORIGIN).filter((each) => comparePositions(each, position) !== 0);
  if (others.length === 0) signed.remove(key);
  else signed.put(key, encodePositions(others, ORIGIN));
}
