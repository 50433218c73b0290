import { ByteReader } from '../../solana/byte-reader.ts';
import type { Segment } from '../answers.ts';

/** Bytes being cut into segments from front to back, without a gap. */
export class SegmentReader extends ByteReader {
  readonly #bytes: Uint8Array;
  readonly #segments: Segment[] = [];
  #markedTo = 0;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.#bytes = bytes;
  }

  /** The next byte; undefined at the end. */
  peek(): number | undefined {
    return this.#bytes[this.offset];
  }

  /** Reads what comes, which is still to come after it. @throws {Unparsable} as `read` does. */
  ahead<T>(read: (reader: ByteReader) => T): T {
    return read(new ByteReader(this.#bytes.subarray(this.offset)));
  }

  /** Reads a value and marks its bytes. @throws {Unparsable} when they have not the form. */
  mark<T extends string | number>(field: string, meaning: string, depth: number, read: () => T): T {
    const value = read();
    this.#add(field, String(value), meaning, depth, this.offset);
    return value;
  }

  /** Marks as many bytes, as hex. No segment is empty. */
  markBytes(field: string, meaning: string, depth: number, count: number): Uint8Array {
    const bytes = this.take(count);
    this.#add(field, hex(bytes), meaning, depth, this.offset);
    return bytes;
  }

  /** The segments, which end with one for all bytes that are not known. */
  finish(): readonly Segment[] {
    const end = this.#bytes.length;
    if (this.#markedTo < end) {
      this.#add('notDecoded', hex(this.#bytes.subarray(this.#markedTo)), 'not decoded', 0, end);
    }
    return this.#segments;
  }

  #add(field: string, value: string, meaning: string, depth: number, to: number): void {
    const offset = this.#markedTo;
    if (to === offset) return;
    this.#segments.push({ offset, length: to - offset, field, value, meaning, depth });
    this.#markedTo = to;
  }
}

/** Bytes as hex, two characters each. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
