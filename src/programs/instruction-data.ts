import { addressBytes, type Address } from '../solana/address.ts';

/**
 * Fields of instruction data, little-endian, and the bytes they make together. A number that does not fit its field is
 * a RangeError: wrapped around, it would be another amount.
 */

/** One byte. */
export function u8(value: number): Uint8Array {
  return Uint8Array.of(fitting(value, 0xff));
}

/** Four bytes. */
export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, fitting(value, 0xffff_ffff), true);
  return bytes;
}

/** Eight bytes. */
export function u64(value: bigint): Uint8Array {
  if (value < 0n || value > 0xffff_ffff_ffff_ffffn) throw new RangeError(`${value} is not a u64`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

/** The 32 bytes of an address, or nothing: programs tell by the length whether a trailing address was given. */
export function trailing(address: Address | null): Uint8Array {
  return address === null ? new Uint8Array() : addressBytes(address);
}

/** Borsh `Option`: a byte 0, or a byte 1 and the value. */
export function option(value: Uint8Array | null): Uint8Array {
  return value === null ? Uint8Array.of(0) : concat(Uint8Array.of(1), value);
}

/** Borsh `Vec`: a u32 count and the items. */
export function vec(items: readonly Uint8Array[]): Uint8Array {
  return concat(u32(items.length), ...items);
}

/** The fields one after another. */
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

function fitting(value: number, max: number): number {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new RangeError(`${value} is not an integer from 0 to ${max}`);
  }
  return value;
}
