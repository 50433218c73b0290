import { ADDRESS_BYTES, addressBytes, addressOf, type Address } from '../../solana/address.ts';
import * as bytesOf from '../instruction-data.ts';

/** What a field holds: a u64 is a bigint, a smaller number a number, an address its base58, everything else its bytes. */
export type FieldValue = number | bigint | string | Uint8Array | null;

/** How a field of instruction data is written, little-endian. */
export interface FieldCodec<V extends FieldValue = FieldValue> {
  /** Whether the field stands only at the end and may be missing. */
  readonly optional?: true;
  /** What the field always is, where it is always the same. */
  readonly constant?: V;
  /** The value that begins at `at`, and where it ends; null when there is none. */
  read(data: Uint8Array, at: number): { readonly value: V; readonly end: number } | null;
  /** @throws {RangeError} when the value does not fit. */
  write(value: V): Uint8Array;
}

/** The same field where it stands at the end and may be missing. */
export const atEnd = <V extends FieldValue>(codec: FieldCodec<V>): FieldCodec<V> & { optional: true } => ({
  ...codec,
  optional: true,
});

const unsigned = (byteCount: number, write: (value: number) => Uint8Array): FieldCodec<number> => ({
  read: (data, at) => {
    const end = at + byteCount;
    if (end > data.length) return null;
    let value = 0;
    for (let i = end - 1; i >= at; i--) value = value * 256 + (data[i] as number);
    return { value, end };
  },
  write,
});

export const u8 = unsigned(1, bytesOf.u8);
export const u16 = unsigned(2, bytesOf.u16);
export const u24 = unsigned(3, bytesOf.u24);
export const u32 = unsigned(4, bytesOf.u32);

export const u64: FieldCodec<bigint> = {
  read: (data, at) =>
    at + 8 > data.length ? null : { value: viewOf(data).getBigUint64(at, true), end: at + 8 },
  write: bytesOf.u64,
};

/** A byte that is always the same. */
export const constant = (byte: number): FieldCodec<number> & { constant: number } => ({
  constant: byte,
  read: (data, at) => (data[at] === byte ? { value: byte, end: at + 1 } : null),
  write: bytesOf.u8,
});

/** So many bytes. */
export const bytes = (byteCount: number): FieldCodec<Uint8Array> => ({
  read: (data, at) => sliceOf(data, at, at + byteCount),
  write: (value) => {
    if (value.length === byteCount) return value;
    throw new RangeError(`${value.length} bytes where ${byteCount} belong`);
  },
});

/** Whatever is left. */
export const rest: FieldCodec<Uint8Array> = {
  read: (data, at) => sliceOf(data, at, data.length),
  write: (value) => value,
};

export const address: FieldCodec<Address> = {
  read: (data, at) => {
    const end = at + ADDRESS_BYTES;
    return end > data.length ? null : { value: addressOf(data.subarray(at, end)), end };
  },
  write: addressBytes,
};

/** Borsh `Option` of an address. */
export const optionalAddress: FieldCodec<Address | null> = {
  read: (data, at) => {
    if (data[at] === 0) return { value: null, end: at + 1 };
    return data[at] === 1 ? address.read(data, at + 1) : null;
  },
  write: (value) => bytesOf.option(value === null ? null : addressBytes(value)),
};

/** bincode `String`: a u64 length and UTF-8. */
export const text: FieldCodec<string> = {
  read: (data, at) => {
    const end = endOfList(data, at, { countBytes: 8, itemBytes: 1 });
    const value = end === null ? null : decodeUtf8(data.subarray(at + 8, end));
    return end === null || value === null ? null : { value, end };
  },
  write: (value) => {
    const utf8Bytes = Buffer.from(value, 'utf8');
    return bytesOf.concat(bytesOf.u64(BigInt(utf8Bytes.length)), utf8Bytes);
  },
};

/** 1 to `byteMax` bytes of UTF-8: their number in one byte, the text, zeros up to `byteMax`. */
export const paddedText = (byteMax: number): FieldCodec<string> => ({
  read: (data, at) => {
    const end = at + 1 + byteMax;
    const length = data[at] ?? 0;
    if (end > data.length || length === 0 || length > byteMax) return null;
    if (data.subarray(at + 1 + length, end).some((byte) => byte !== 0)) return null;
    const value = decodeUtf8(data.subarray(at + 1, at + 1 + length));
    return value === null ? null : { value, end };
  },
  write: (value) => {
    const utf8Bytes = Buffer.from(value, 'utf8');
    if (utf8Bytes.length === 0 || utf8Bytes.length > byteMax) {
      throw new RangeError(`${utf8Bytes.length} bytes: there may be 1 to ${byteMax}`);
    }
    const padded = new Uint8Array(1 + byteMax);
    padded[0] = utf8Bytes.length;
    padded.set(utf8Bytes, 1);
    return padded;
  },
});

/** Bytes of which `endOf` tells where they end. They are not taken apart. */
const whole = (endOf: (data: Uint8Array, at: number) => number | null): FieldCodec<Uint8Array> => ({
  read: (data, at) => {
    const end = endOf(data, at);
    return end === null ? null : sliceOf(data, at, end);
  },
  write: (value) => {
    if (endOf(value, 0) === value.length) return value;
    throw new RangeError(`${value.length} bytes are no such list`);
  },
});

/** bincode `Vec<Pubkey>`: a u64 count and the addresses. */
export const addresses = whole((data, at) => endOfList(data, at, { countBytes: 8, itemBytes: 32 }));

/** Borsh `Option<Vec<Member>>`; a member is flags u8 and address (permission program `Member`). */
export const members = whole((data, at) => {
  if (data[at] === 0) return at + 1;
  return data[at] === 1 ? endOfList(data, at + 1, { countBytes: 4, itemBytes: 33 }) : null;
});

/** Borsh `Vec<Vec<u8>>`. */
export const seeds = whole((data, at) => {
  if (at + 4 > data.length) return null;
  let end: number | null = at + 4;
  for (let left = viewOf(data).getUint32(at, true); left > 0 && end !== null; left--) {
    end = endOfList(data, end, { countBytes: 4, itemBytes: 1 });
  }
  return end;
});

/** Where a list ends whose count begins at `at`; null when it would end behind the data. */
function endOfList(
  data: Uint8Array,
  at: number,
  { countBytes, itemBytes }: { readonly countBytes: 4 | 8; readonly itemBytes: number },
): number | null {
  const itemsAt = at + countBytes;
  if (itemsAt > data.length) return null;
  const view = viewOf(data);
  const count = countBytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
  const end = itemsAt + count * itemBytes;
  return end > data.length ? null : end;
}

const viewOf = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength);

const sliceOf = (data: Uint8Array, at: number, end: number) =>
  end > data.length ? null : { value: data.subarray(at, end), end };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Null for bytes that are no UTF-8. */
function decodeUtf8(encoded: Uint8Array): string | null {
  try {
    return utf8.decode(encoded);
  } catch {
    return null;
  }
}
