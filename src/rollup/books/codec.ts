import {
  concat,
  option,
  u8 as u8Bytes,
  u32 as u32Bytes,
  u64 as u64Bytes,
  vec,
} from '../../programs/instruction-data.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import type { ByteReader } from '../../solana/byte-reader.ts';
import { SIGNATURE_BYTES } from '../../solana/signature.ts';

/** Writes and reads one field of an item. */
export interface Codec<Value> {
  write(value: Value): Uint8Array;
  read(reader: ByteReader): Value;
}

export const u8: Codec<number> = { write: u8Bytes, read: (reader) => reader.u8() };
export const u32: Codec<number> = { write: u32Bytes, read: (reader) => reader.u32() };
export const u64: Codec<bigint> = { write: u64Bytes, read: (reader) => reader.u64() };
export const i64: Codec<bigint> = {
  write: (value) => u64Bytes(BigInt.asUintN(64, value)),
  read: (reader) => reader.i64(),
};
export const bool: Codec<boolean> = {
  write: (value) => Uint8Array.of(value ? 1 : 0),
  read: (reader) => reader.bool(),
};
export const address: Codec<Address> = { write: addressBytes, read: (reader) => reader.address() };

/** Codec for a signature: base58 of 64 bytes. */
export const signature: Codec<string> = {
  write: decodeBase58,
  read: (reader) => encodeBase58(reader.take(SIGNATURE_BYTES)),
};

/** Codec for a signature like {@link signature}, with zeros for null. */
export const signatureOrZeros: Codec<string | null> = {
  write: (value) => (value === null ? new Uint8Array(SIGNATURE_BYTES) : decodeBase58(value)),
  read: (reader) => {
    const bytes = reader.take(SIGNATURE_BYTES);
    return bytes.every((byte) => byte === 0) ? null : encodeBase58(bytes);
  },
};

/**
 * Codec for bytes: a u32 length, then the bytes. The result is a copy, so it does not keep the account's data
 * alive.
 */
export const bytes: Codec<Uint8Array> = {
  write: (value) => concat(u32Bytes(value.length), value),
  read: (reader) => reader.take(reader.u32()).slice(),
};

/** Codec for a text: a u32 length, then UTF-8. */
export const text: Codec<string> = {
  write: (value) => bytes.write(Buffer.from(value, 'utf8')),
  read: (reader) => Buffer.from(bytes.read(reader)).toString('utf8'),
};

/** Creates the codec for a u32 count and the items. */
export const list = <Item>(item: Codec<Item>): Codec<readonly Item[]> => ({
  write: (items) => vec(items.map((each) => item.write(each))),
  read: (reader) => Array.from({ length: reader.u32() }, () => item.read(reader)),
});

/** Creates the codec for a byte 0 for null, or a byte 1 and the value. */
export const optional = <Value>(codec: Codec<Value>): Codec<Value | null> => ({
  write: (value) => option(value === null ? null : codec.write(value)),
  read: (reader) => reader.option(() => codec.read(reader)),
});

/** Creates the codec for fields in this order. */
export function struct<Value extends object>(fields: {
  readonly [Name in keyof Value]-?: Codec<Value[Name]>;
}): Codec<Value> {
  const names = Object.keys(fields) as (keyof Value)[];
  return {
    write: (value) => concat(...names.map((name) => fields[name].write(value[name]))),
    read: (reader) => Object.fromEntries(names.map((name) => [name, fields[name].read(reader)])) as Value,
  };
}
