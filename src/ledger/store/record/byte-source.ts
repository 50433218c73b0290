/**
 * Bytes that a {@link ByteSink} wrote, read from front to back. What it gives points into them. Bounds
 * are checked of numbers alone, without which their reading would not end: the bytes are checked against a
 * checksum before.
 */
export class ByteSource {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  u8(): number {
    return this.#bytes[this.#at++] as number;
  }

  bytes(count: number): Uint8Array {
    const { buffer, byteOffset } = this.#bytes;
    const from = byteOffset + this.#at;
    this.#at += count;
    return new Uint8Array(buffer, from, count);
  }

  varint(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      if (this.isAtEnd) throw new RangeError('the bytes end within a number');
      const byte = this.u8();
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
      unit *= 0x80;
    }
  }

  bigVarint(): bigint {
    const from = this.#at;
    const value = this.varint();
    // A number is exact as long as it is safe; of a greater one the bits are read again.
    if (Number.isSafeInteger(value)) return BigInt(value);
    let exact = 0n;
    for (let at = this.#at - 1; at >= from; at--)
      exact = (exact << 7n) | BigInt((this.#bytes[at] as number) & 0x7f);
    return exact;
  }

  bigSigned(): bigint {
    const value = this.bigVarint();
    return (value & 1n) === 0n ? value >> 1n : -((value + 1n) >> 1n);
  }

  block(): Uint8Array {
    return this.bytes(this.varint());
  }

  text(): string {
    const length = this.varint();
    const from = this.#at;
    this.#at += length;
    return this.#bytes.toString('utf8', from, this.#at);
  }

  /** As many items as a varint says. */
  list<T>(read: () => T): T[] {
    const items: T[] = [];
    for (let left = this.varint(); left > 0; left--) items.push(read());
    return items;
  }
}
