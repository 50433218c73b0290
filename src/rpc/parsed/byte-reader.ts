import { addressOf, type Address } from '../../solana/address.ts';

/** Bytes do not have the form a parser knows. What they belong to is then shown without being parsed. */
export class Unparsable extends Error {
  override readonly name = 'Unparsable';
}

/** Bytes being read from front to back, numbers in little endian. Reading past the end throws {@link Unparsable}. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** How many bytes are left. */
  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  take(count: number): Uint8Array {
    const start = this.#skip(count);
    return this.#bytes.subarray(start, this.#at);
  }

  u8(): number {
    return this.#view.getUint8(this.#skip(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#skip(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#skip(4), true);
  }

  i16(): number {
    return this.#view.getInt16(this.#skip(2), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#skip(8), true);
  }

  /** Solana's `ShortU16`: up to three bytes of seven bits, the low ones first, no longer than needed. */
  compactU16(): number {
    let value = 0;
    for (let shift = 0; shift <= 14; shift += 7) {
      const byte = this.u8();
      value |= (byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      if ((byte === 0 && shift > 0) || value > 0xffff) break;
      return value;
    }
    throw new Unparsable('not a compact u16');
  }

  u128(): bigint {
    return this.u64() | (this.u64() << 64n);
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#skip(8), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#skip(8), true);
  }

  /** A byte that must be 0 or 1 (bincode and Borsh `bool`). */
  bool(): boolean {
    const byte = this.u8();
    if (byte > 1) throw new Unparsable('not a bool');
    return byte === 1;
  }

  /** What follows a byte that says whether it is there (bincode and Borsh `Option`). */
  option<T>(read: () => T): T | null {
    return this.bool() ? read() : null;
  }

  /** As many items as a u64 says, each at least `itemBytesMin` bytes long (bincode `Vec`). */
  list<T>(itemBytesMin: number, read: () => T): T[] {
    return Array.from({ length: this.count64(itemBytesMin) }, read);
  }

  /** A u64 length and UTF-8 (bincode `String`). */
  string(): string {
    return this.text(this.count64(1));
  }

  /** `byteCount` bytes as base64, by default all that are left. */
  base64(byteCount = this.remaining): string {
    const bytes = this.take(byteCount);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  }

  address(): Address {
    return addressOf(this.take(32));
  }

  /** UTF-8 text of `byteCount` bytes. */
  text(byteCount: number): string {
    const bytes = this.take(byteCount);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new Unparsable('not UTF-8');
    }
  }

  /** How many items of `itemBytes` bytes follow, by a u64 that may say more than there is room for. */
  count64(itemBytes: number): number {
    const count = this.u64();
    if (count * BigInt(itemBytes) > BigInt(this.remaining)) throw new Unparsable('too few bytes');
    return Number(count);
  }

  #skip(count: number): number {
    if (count > this.remaining) throw new Unparsable('too few bytes');
    const start = this.#at;
    this.#at += count;
    return start;
  }
}

/**
 * What `parse` returns, or undefined when it finds the bytes to be {@link Unparsable}.
 */
export function tryParse<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Unparsable) return undefined;
    throw error;
  }
}
