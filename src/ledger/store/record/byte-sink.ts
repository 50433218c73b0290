import { assertInvariant } from '../../../errors/assert-invariant.ts';

const FIRST_BYTES = 1_024;
/** Bytes of the longest varint: ten of seven bits each hold 64, and the sign of a difference of two u64. */
const VARINT_BYTES_MAX = 10;

/** Bytes being written from front to back. */
export class ByteSink {
  #bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #at = 0;

  /** What was written. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  u8(value: number): void {
    this.#makeRoom(1);
    this.#bytes[this.#at++] = value;
  }

  bytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** A whole number from 0 to 2^53 - 1, seven bits a byte, the low ones first (LEB128). */
  varint(value: number): void {
    assertInvariant(Number.isSafeInteger(value) && value >= 0, 'a varint is a whole number');
    this.#makeRoom(VARINT_BYTES_MAX);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#at++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#at++] = rest;
  }

  /** As {@link varint}, up to 2^70 - 1. */
  bigVarint(value: bigint): void {
    if (value <= Number.MAX_SAFE_INTEGER) return this.varint(Number(value));
    assertInvariant(value < 1n << 70n, 'a varint has at most 70 bits');
    this.#makeRoom(VARINT_BYTES_MAX);
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) this.#bytes[this.#at++] = Number(rest & 0x7fn) | 0x80;
    this.#bytes[this.#at++] = Number(rest);
  }

  /** A number that may be negative: 0, -1, 1, -2, ... are the varints 0, 1, 2, 3, ... (zigzag). */
  bigSigned(value: bigint): void {
    this.bigVarint(value < 0n ? -2n * value - 1n : 2n * value);
  }

  /** Bytes after their length. */
  block(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.bytes(bytes);
  }

  /** UTF-8 after its length in bytes. */
  text(text: string): void {
    const length = Buffer.byteLength(text);
    this.varint(length);
    this.#makeRoom(length);
    this.#at += this.#bytes.write(text, this.#at);
  }

  #makeRoom(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(2 * (this.#at + count));
    grown.set(this.written);
    this.#bytes = grown;
  }
}
