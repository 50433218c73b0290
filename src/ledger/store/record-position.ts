import type { RecordPosition } from './store.ts';

/** A position as bytes that sort as positions do: slot u64 and index u32, both big-endian. */
export const POSITION_BYTES = 12;
const INDEX_AT = 8;

/** A position as {@link POSITION_BYTES} bytes. */
export function encodePosition({ slot, index }: RecordPosition): Buffer {
  const bytes = Buffer.allocUnsafe(POSITION_BYTES);
  bytes.writeBigUInt64BE(BigInt(slot), 0);
  bytes.writeUInt32BE(index, INDEX_AT);
  return bytes;
}

/** The position that starts at `at` in `bytes`. */
export function decodePosition(bytes: Buffer, at = 0): RecordPosition {
  return { slot: Number(bytes.readBigUInt64BE(at)), index: bytes.readUInt32BE(at + INDEX_AT) };
}

/** Below 0 when `a` landed before `b`, 0 for the same record. */
export function comparePositions(a: RecordPosition, b: RecordPosition): number {
  return a.slot - b.slot || a.index - b.index;
}

/** The one that comes first; null stands for none. */
export function earlierPosition<T extends RecordPosition | null>(
  a: T,
  b: RecordPosition | null,
): T | RecordPosition {
  if (a === null || b === null) return a ?? b ?? a;
  return comparePositions(a, b) <= 0 ? a : b;
}
