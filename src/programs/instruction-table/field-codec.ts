import { type Address, ADDRESS_BYTES, addressBytes } from '../../solana/address.ts';
import { ByteReader, tryParse, Unparsable } from '../../solana/byte-reader.ts';
import * as bytesOf from '../instruction-data.ts';

/** The value of a field: bigint for u64, number for smaller integers, base58 for addresses, else bytes. */
export type FieldValue = number | bigint | string | Uint8Array | null;

/** Reads and writes a field of instruction data, little-endian. */
export interface FieldCodec<V extends FieldValue = FieldValue> {
  /** Whether the field comes last and may be missing. */
  readonly optional?: true;
  /** The value of a constant field. */
  readonly constant?: V;
  /** @throws {Unparsable} if the next bytes are not a valid value. */
  read(reader: ByteReader): V;
  /** @throws {RangeError} if the value does not fit. */
  write(value: V): Uint8Array;
}

/** Makes a field optional. Optional fields come last. */
export const atEnd = <V extends FieldValue>(codec: FieldCodec<V>): FieldCodec<V> & { optional: true } => ({
  ...codec,
  optional: true,
});

export const u8: FieldCodec<number> = { read: (reader) => reader.u8(), write: bytesOf.u8 };
export const u16: FieldCodec<number> = { read: (reader) => reader.u16(), write: bytesOf.u16 };
export const u24: FieldCodec<number> = {
  read: (reader) => reader.u16() + reader.u8() * 0x1_0000,
  write: bytesOf.u24,
};
export const u32: FieldCodec<number> = { read: (reader) => reader.u32(), write: bytesOf.u32 };
export const u64: FieldCodec<bigint> = { read: (reader) => reader.u64(), write: bytesOf.u64 };

/** Creates the codec for a constant byte. */
export const constant = (byte: number): FieldCodec<number> & { constant: number } => ({
  constant: byte,
  read: (reader) => {
    if (reader.u8() !== byte) throw new Unparsable(`not ${byte}`);
    return byte;
  },
  write: bytesOf.u8,
});

/** Creates the codec for a fixed number of bytes. */
export const bytes = (byteCount: number): FieldCodec<Uint8Array> => ({
  read: (reader) => reader.take(byteCount),
  write: (value) => {
    if (value.length === byteCount) return value;
    throw new RangeError(`the value has ${value.length} bytes instead of ${byteCount}`);
  },
});

/** All remaining bytes. */
export const rest: FieldCodec<Uint8Array> = {
  read: (reader) => reader.take(reader.remaining),
  write: (value) => value,
};

export const address: FieldCodec<Address> = { read: (reader) => reader.address(), write: addressBytes };

/** Borsh `Option` of an address. */
export const optionalAddress: FieldCodec<Address | null> = {
  read: (reader) => reader.option(() => reader.address()),
  write: (value) => bytesOf.option(value === null ? null : addressBytes(value)),
};

/** bincode `String`: a u64 length and UTF-8. */
export const text: FieldCodec<string> = {
  read: (reader) => reader.string(),
  write: (value) => {
    const utf8 = Buffer.from(value, 'utf8');
    return bytesOf.concat(bytesOf.u64(BigInt(utf8.length)), utf8);
  },
};

/** bincode `Vec<u8>`: a u64 length and the bytes. */
export const prefixedBytes: FieldCodec<Uint8Array> = {
  read: (reader) => reader.take(reader.count64(1)),
  write: (value) => bytesOf.concat(bytesOf.u64(BigInt(value.length)), value),
};

/** Creates the codec for 1 to `byteMax` bytes of UTF-8: length u8, the text, zeros up to `byteMax`. */
export const paddedText = (byteMax: number): FieldCodec<string> => ({
  read: (reader) => {
    const length = reader.u8();
    const padded = reader.take(byteMax);
    if (length === 0 || padded.subarray(length).some((byte) => byte !== 0)) {
      throw new Unparsable('not a padded text');
    }
    return new ByteReader(padded).text(length);
  },
  write: (value) => {
    const utf8 = Buffer.from(value, 'utf8');
    if (utf8.length === 0 || utf8.length > byteMax) {
      throw new RangeError(`the text has ${utf8.length} bytes, but must have 1 to ${byteMax}`);
    }
    const padded = new Uint8Array(1 + byteMax);
    padded[0] = utf8.length;
    padded.set(utf8, 1);
    return padded;
  },
});

/** Creates the codec for a list whose value is its encoded bytes. */
const whole = (read: (reader: ByteReader) => Uint8Array): FieldCodec<Uint8Array> => ({
  read,
  write: (value) => {
    const reader = new ByteReader(value);
    // The caller has already encoded the list, so parsing only validates it.
    if (tryParse(() => read(reader)) !== undefined && reader.remaining === 0) return value;
    throw new RangeError(`${value.length} bytes are not an encoded list`);
  },
});

/** bincode `Vec<Pubkey>`: a u64 count and the addresses. */
export const addresses = whole((reader) => {
  const count = reader.count64(32);
  return bytesOf.concat(bytesOf.u64(BigInt(count)), reader.take(count * 32));
});

/** Decodes the addresses in a value of {@link addresses}. */
export function addressesIn(value: Uint8Array): Address[] {
  const reader = new ByteReader(value);
  return Array.from({ length: reader.count64(ADDRESS_BYTES) }, () => reader.address());
}

/** Borsh `Option<Vec<Member>>`; a member is flags u8 and address (permission program `Member`). */
export const members = whole((reader) =>
  bytesOf.option(
    reader.option(() => {
      const count = reader.u32();
      return bytesOf.concat(bytesOf.u32(count), reader.take(count * 33));
    }),
  ),
);

/** Borsh `Vec<Vec<u8>>`. */
export const seeds = whole((reader) => {
  const count = reader.u32();
  const parts = [bytesOf.u32(count)];
  for (let left = count; left > 0; left--) {
    const length = reader.u32();
    parts.push(bytesOf.u32(length), reader.take(length));
  }
  return bytesOf.concat(...parts);
});

/** The fields of an instruction, in encoding order. */
export type Fields = Readonly<Record<string, FieldCodec>>;

/** The values of fields; null for an optional field that is missing. Constant fields are omitted. */
export type FieldValues<F extends Fields> = {
  readonly [N in keyof F as F[N] extends { constant: number } ? never : N]: F[N] extends FieldCodec<infer V>
    ? F[N] extends { optional: true }
      ? V | null
      : V
    : never;
};

/** The values of fields by name; missing optional fields have no entry. */
export type FieldMap = ReadonlyMap<string, FieldValue>;

/** Reads the fields in `data` from `at`; null unless they fill exactly the remaining bytes. */
export function readFields(fields: Fields, data: Uint8Array, at: number): FieldMap | null {
  const read = readLeadingFields(fields, data, at);
  return read !== null && read.remaining === 0 ? read.values : null;
}

/** Reads the fields in `data` from `at` and counts the bytes after them; null for invalid fields. */
export function readLeadingFields(
  fields: Fields,
  data: Uint8Array,
  at: number,
): { readonly values: FieldMap; readonly remaining: number } | null {
  const reader = new ByteReader(data.subarray(at));
  const values = tryParse(() => {
    const read = new Map<string, FieldValue>();
    for (const [name, codec] of Object.entries(fields)) {
      // Optional fields come last, so nothing can follow.
      if (codec.optional && reader.remaining === 0) break;
      read.set(name, codec.read(reader));
    }
    return read;
  });
  return values === undefined ? null : { values, remaining: reader.remaining };
}

/** Decodes `data` that consists of exactly these fields; null otherwise. */
export function decodeFields<F extends Fields>(fields: F, data: Uint8Array): FieldValues<F> | null {
  const values = readFields(fields, data, 0);
  if (values === null) return null;
  const named = Object.keys(fields).map((name) => [name, values.get(name) ?? null] as const);
  return Object.fromEntries(named) as FieldValues<F>;
}

/**
 * Writes the fields.
 *
 * @throws {RangeError} if a value does not fit its field.
 */
export function writeFields<F extends Fields>(fields: F, values: FieldValues<F>): Uint8Array[] {
  const given = values as Readonly<Record<string, FieldValue>>;
  const written: Uint8Array[] = [];
  for (const name in fields) {
    const codec = fields[name] as FieldCodec;
    const value = codec.constant ?? (given[name] as FieldValue);
    if (codec.optional !== true || value !== null) written.push(codec.write(value));
  }
  return written;
}
