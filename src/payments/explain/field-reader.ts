import { addressOf } from '../../solana/address.ts';

/**
 * How a field of instruction data is written, little-endian. `optionalAddress` is a Borsh option; `handle` is a length
 * byte and text in 256 bytes; `text` a bincode string, which is a u64 length and UTF-8; `seeds` a Borsh Vec<Vec<u8>>; `members` a Borsh Option<Vec> of 33-byte members;
 * `addresses` a u64 count and addresses; `rest` whatever is left. A name that ends in `?` stands only at the end and
 * may be missing.
 */
export type FieldType =
  | 'u8'
  | 'u16'
  | 'u24'
  | 'u32'
  | 'u64'
  | 'address'
  | 'optionalAddress'
  | 'handle'
  | 'text'
  | 'seeds'
  | 'members'
  | 'addresses'
  | 'rest'
  | { readonly bytes: number }
  | { readonly const: number };

export type FieldValue = bigint | string | Uint8Array | null;

export type FieldSpec = readonly [name: string, type: FieldType];

/** Bytes of a member of a permission: flags and key (permission program `Member`). */
const MEMBER_BYTES = 33;

/** Bytes of a stealth handle as the program keeps it: length byte and text. */
const HANDLE_STORAGE_BYTES = 256;

const WIDTHS: Readonly<Record<string, number>> = { u8: 1, u16: 2, u24: 3, u32: 4, u64: 8 };

/** The fields of `data` from `at`, null when they do not take exactly the bytes there are. */
export function readFields(
  specs: readonly FieldSpec[],
  data: Uint8Array,
  at: number,
): ReadonlyMap<string, FieldValue> | null {
  const fields = new Map<string, FieldValue>();
  let offset = at;
  for (const [name, type] of specs) {
    if (name.endsWith('?') && offset === data.length) break;
    const read = readField(type, data, offset);
    if (read === null) return null;
    fields.set(name.replace('?', ''), read.value);
    offset = read.end;
  }
  return offset === data.length ? fields : null;
}

interface Read {
  readonly value: FieldValue;
  readonly end: number;
}

function readField(type: FieldType, data: Uint8Array, at: number): Read | null {
  if (typeof type === 'object') return readFixed(type, data, at);
  const left = data.length - at;
  switch (type) {
    case 'rest':
      return { value: data.subarray(at), end: data.length };
    case 'address':
      return left < 32 ? null : { value: addressOf(data.subarray(at, at + 32)), end: at + 32 };
    case 'optionalAddress':
      if (data[at] === 0) return { value: null, end: at + 1 };
      return data[at] === 1 ? readField('address', data, at + 1) : null;
    case 'handle':
      return readHandle(data, at);
    case 'text':
      return readText(data, at);
    case 'seeds':
      return readSeeds(data, at);
    case 'members':
      if (data[at] === 0) return readFixed({ bytes: 1 }, data, at);
      return data[at] === 1 ? readCounted(data, at, 1, 4, MEMBER_BYTES) : null;
    case 'addresses':
      return readCounted(data, at, 0, 8, 32);
    default: {
      const width = WIDTHS[type] as number;
      if (left < width) return null;
      let value = 0n;
      for (let i = width - 1; i >= 0; i--) value = (value << 8n) | BigInt(data[at + i] as number);
      return { value, end: at + width };
    }
  }
}

function readFixed(type: { bytes: number } | { const: number }, data: Uint8Array, at: number): Read | null {
  if ('const' in type) return data[at] === type.const ? { value: BigInt(type.const), end: at + 1 } : null;
  const end = at + type.bytes;
  return end > data.length ? null : { value: data.subarray(at, end), end };
}

/** A count of `countBytes` after `skip` bytes, then that many items; the value is all of it. */
function readCounted(data: Uint8Array, at: number, skip: number, countBytes: 4 | 8, itemBytes: number) {
  const itemsAt = at + skip + countBytes;
  if (itemsAt > data.length) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const count =
    countBytes === 4 ? view.getUint32(at + skip, true) : Number(view.getBigUint64(at + skip, true));
  return readFixed({ bytes: skip + countBytes + count * itemBytes }, data, at);
}

function readSeeds(data: Uint8Array, at: number): Read | null {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (at + 4 > data.length) return null;
  let end = at + 4;
  for (let rest = view.getUint32(at, true); rest > 0; rest--) {
    if (end + 4 > data.length) return null;
    end += 4 + view.getUint32(end, true);
    if (end > data.length) return null;
  }
  return { value: data.subarray(at, end), end };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readText(data: Uint8Array, at: number): Read | null {
  const counted = readCounted(data, at, 0, 8, 1);
  const text = counted === null ? null : decodeUtf8(data.subarray(at + 8, counted.end));
  return counted === null || text === null ? null : { value: text, end: counted.end };
}

/** A handle that is empty or whose padding is not zeros is none. */
function readHandle(data: Uint8Array, at: number): Read | null {
  const end = at + HANDLE_STORAGE_BYTES;
  if (end > data.length) return null;
  const length = data[at] as number;
  const padding = data.subarray(at + 1 + length, end);
  if (length === 0 || padding.some((byte) => byte !== 0)) return null;
  const text = decodeUtf8(data.subarray(at + 1, at + 1 + length));
  return text === null ? null : { value: text, end };
}

/** Null for bytes that are no UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
