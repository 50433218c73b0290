/** Bytes compared at a time. */
const CHUNK_BYTES = 4096;

/** A range of bytes: `from` inclusive, `to` exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The smallest range that contains all differences of two arrays of equal length. Empty if they are equal.
 */
export function changedRange(before: Uint8Array, after: Uint8Array): ByteRange {
  const [old, now] = [viewOf(before), viewOf(after)];
  let from = 0;
  while (from < now.length && agree(old, now, from, from + CHUNK_BYTES)) from += CHUNK_BYTES;
  if (from >= now.length) return { from: 0, to: 0 };
  while (old[from] === now[from]) from++;
  let to = now.length;
  while (to - CHUNK_BYTES > from && agree(old, now, to - CHUNK_BYTES, to)) to -= CHUNK_BYTES;
  while (old[to - 1] === now[to - 1]) to--;
  return { from, to };
}

function agree(old: Buffer, now: Buffer, from: number, to: number): boolean {
  return old.subarray(from, to).equals(now.subarray(from, to));
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
