import { ByteSink } from '../record/byte-sink.ts';
import { ByteSource } from '../record/byte-source.ts';
import type { RecordPosition } from '../store.ts';

/** The position that a list begins to count from when it has no other. */
export const ORIGIN: RecordPosition = { slot: 0, index: 0 };

/**
 * Positions in ascending order, each as what it is behind the one before: slots, and the index, or within the
 * same slot how much greater the index is. Varints.
 *
 * @param from the one before the first.
 */
export function encodePositions(positions: readonly RecordPosition[], from: RecordPosition): Buffer {
  const sink = new ByteSink();
  let last = from;
  for (const position of positions) {
    sink.varint(position.slot - last.slot);
    sink.varint(position.slot === last.slot ? position.index - last.index : position.index);
    last = position;
  }
  return Buffer.from(sink.written);
}

/** Reads what {@link encodePositions} wrote. */
export function decodePositions(bytes: Buffer, from: RecordPosition): RecordPosition[] {
  const source = new ByteSource(bytes);
  const positions: RecordPosition[] = [];
  let last = from;
  while (!source.isAtEnd) {
    const slot = last.slot + source.varint();
    const index = source.varint() + (slot === last.slot ? last.index : 0);
    last = { slot, index };
    positions.push(last);
  }
  return positions;
}
