import { type Address, addressOf } from './address.ts';

/** Thrown if bytes do not have the expected form. The value is then shown unparsed. */
export class Unparsable extends Error {
  override readonly name = 'Unparsable';
}

/** Reads bytes front to back, and numbers in little-endian order. Throws {@link Unparsable} past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    // A view of a Buffer is a Buffer, which is several times slower to create.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Number of bytes read. */
  get offset(): number {
    return this.#at;
  }

  /** Number of bytes left. */
  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  take(count: number): Uint8Array {
    const start = this.#skip(count);
    return this.#bytes.subarray(start, this.#at);
  }

  u8(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw this.fault('unexpected end of data', this.#at);
    this.#at++;
    return byte;
  }

  u16(): number {
    return this.u8() | (this.u8() << 8);
  }

  u32(): number {
    return this.u16() + this.u16() * 0x1_0000;
  }

  i16(): number {
    return (this.u16() << 16) >> 16;
  }

  u64(): bigint {
    return BigInt(this.u32()) | (BigInt(this.u32()) << 32n);
  }

  /** Reads Solana's `ShortU16`, in its canonical form only (`solana-short-vec` rejects aliases). */
  compactU16(): number {
    const first = this.u8();
    if (first < 0x80) return first;
    const second = this.u8();
    if (second === 0) throw this.fault('length is not canonical', this.#at - 1);
    if (second < 0x80) return (first & 0x7f) | (second << 7);
    const third = this.u8();
    if (third === 0 || third > 3) throw this.fault('length is not canonical', this.#at - 1);
    return (first & 0x7f) | ((second & 0x7f) << 7) | (third << 14);
  }

  u128(): bigint {
    return this.u64() | (this.u64() << 64n);
  }

  i64(): bigint {
    return BigInt.asIntN(64, this.u64());
  }

  f64(): number {
    const { buffer, byteOffset } = this.take(8);
    return new DataView(buffer, byteOffset).getFloat64(0, true);
  }

  /** Reads a byte that must be 0 or 1 (bincode and Borsh `bool`). */
  bool(): boolean {
    const byte = this.u8();
    if (byte > 1) throw new Unparsable('not a bool');
    return byte === 1;
  }

  /** Reads a flag byte and an optional value (bincode and Borsh `Option`). */
  option<T>(read: () => T): T | null {
    return this.bool() ? read() : null;
  }

  /** Reads a u64 count and its items, each at least `itemBytesMin` bytes long (bincode `Vec`). */
  list<T>(itemBytesMin: number, read: () => T): T[] {
    return Array.from({ length: this.count64(itemBytesMin) }, read);
  }

  /** Reads a u64 length and UTF-8 (bincode `String`). */
  string(): string {
    return this.text(this.count64(1));
  }

  /** Reads `byteCount` bytes as base64, by default all remaining bytes. */
  base64(byteCount = this.remaining): string {
    const bytes = this.take(byteCount);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  }

  address(): Address {
    return addressOf(this.take(32));
  }

  /** Reads UTF-8 text of `byteCount` bytes. */
  text(byteCount: number): string {
    const bytes = this.take(byteCount);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new Unparsable('not UTF-8');
    }
  }

  /** Reads a u64 count of items of `itemBytes` bytes. Rejects a count that exceeds the remaining bytes. */
  count64(itemBytes: number): number {
    const count = this.u64();
    if (count * BigInt(itemBytes) > BigInt(this.remaining)) throw new Unparsable('too few bytes');
    return Number(count);
  }

  /** Creates the error for malformed bytes. */
  protected fault(what: string, at: number): Error {
    return new Unparsable(`${what} at byte ${at}`);
  }

  #skip(count: number): number {
    if (count > this.remaining) throw this.fault('unexpected end of data', this.#bytes.length);
    const start = this.#at;
    this.#at += count;
    return start;
  }
}

/** Returns the result of `parse`, or undefined if it throws {@link Unparsable}. */
export function tryParse<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Unparsable) return undefined;
    throw error;
  }
}

/** Creates a DataView of the same bytes. */
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
