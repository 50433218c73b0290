/**
 * Encoders for the fields of instruction data, little-endian. They throw a RangeError for a number that does
 * not fit, because truncation would change an amount.
 */

/** Encodes one byte. */
export const u8 = unsigned(1);
/** Encodes two bytes. */
export const u16 = unsigned(2);
/** Encodes three bytes. */
export const u24 = unsigned(3);
/** Encodes four bytes. */
export const u32 = unsigned(4);

/** Encodes eight bytes. */
export function u64(value: bigint): Uint8Array {
  if (value < 0n || value > 0xffff_ffff_ffff_ffffn) throw new RangeError(`${value} is not a u64`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

/** Encodes a Borsh `Option`: a byte 0, or a byte 1 and the value. */
export function option(value: Uint8Array | null): Uint8Array {
  return value === null ? Uint8Array.of(0) : concat(Uint8Array.of(1), value);
}

/** Encodes a Borsh `Vec`: a u32 count and the items. */
export function vec(items: readonly Uint8Array[]): Uint8Array {
  return concat(u32(items.length), ...items);
}

/** Joins byte arrays. */
export function concat(...fields: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const field of fields) length += field.length;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const field of fields) {
    bytes.set(field, at);
    at += field.length;
  }
  return bytes;
}

function unsigned(byteCount: 1 | 2 | 3 | 4): (value: number) => Uint8Array {
  const max = 256 ** byteCount - 1;
  return (value) => {
    if (!Number.isInteger(value) || value < 0 || value > max) {
      throw new RangeError(`${value} is not an integer from 0 to ${max}`);
    }
    const bytes = new Uint8Array(byteCount);
    for (let at = 0; at < byteCount; at++) bytes[at] = value >>> (8 * at);
    return bytes;
  };
}

/** Encodes text as a seed, in UTF-8. */
export const textSeed = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf8'));
