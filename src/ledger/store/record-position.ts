import type { RecordPosition } from './store.ts';

/**
 * The size of an encoded position: slot u64 and index u32, both big-endian, so that bytes sort like
 * positions.
 */
export const POSITION_BYTES = 12;
const INDEX_AT = 8;

/** Sorts after every position. */
export const LAST_POSITION: Buffer = Buffer.alloc(POSITION_BYTES, 0xff);

/** A position in {@link POSITION_BYTES} bytes. */
export function encodePosition({ slot, index }: RecordPosition): Buffer {
  const bytes = Buffer.allocUnsafe(POSITION_BYTES);
  bytes.writeBigUInt64BE(BigInt(slot), 0);
  bytes.writeUInt32BE(index, INDEX_AT);
  return bytes;
}

/** Decodes the position at offset `at`. */
export function decodePosition(bytes: Buffer, at = 0): RecordPosition {
  return { slot: Number(bytes.readBigUInt64BE(at)), index: bytes.readUInt32BE(at + INDEX_AT) };
}

/** Negative if `a` landed before `b`, 0 for the same record. */
export function comparePositions(a: RecordPosition, b: RecordPosition): number {
  return a.slot - b.slot || a.index - b.index;
}

/** The earlier one; null if absent. */
export function earlierPosition<T extends RecordPosition | null>(
  a: T,
  b: RecordPosition | null,
): T | RecordPosition {
  if (a === null || b === null) return a ?? b ?? a;
  return comparePositions(a, b) <= 0 ? a : b;
}
