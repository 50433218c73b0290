import type { JsonValue } from '../../json/json-value.ts';
import { invalidType, invalidValue, type ParamReader } from './param-reader.ts';

/** Rust `String`. */
export const string: ParamReader<string> = (value) => {
  if (typeof value !== 'string') throw invalidType(value, 'a string');
  return value;
};

/** Rust `bool`. */
export const bool: ParamReader<boolean> = (value) => {
  if (typeof value !== 'boolean') throw invalidType(value, 'a boolean');
  return value;
};

/** Rust `u8`. */
export const u8: ParamReader<number> = (value) => Number(readUnsigned(value, 0xffn, 'u8'));

/** Rust `u64`. */
export const u64: ParamReader<bigint> = (value) => readUnsigned(value, 0xffff_ffff_ffff_ffffn, 'u64');

/** Rust `usize` of a 64-bit machine. */
export const usize: ParamReader<bigint> = (value) => readUnsigned(value, 0xffff_ffff_ffff_ffffn, 'usize');

/** A u64 that may also be a decimal string, for clients whose numbers end at 2^53. */
export const baseUnits: ParamReader<bigint> = (value) => {
  // u64::MAX has 20 digits. Any other text is refused as a string.
  const digits = typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : value;
  return readUnsigned(digits, 0xffff_ffff_ffff_ffffn, 'u64 as an integer or a decimal string');
};

/** Rust `Option<T>`: null is `None`. */
export function option<T>(read: ParamReader<T>): ParamReader<T | undefined> {
  return (value) => (value === null ? undefined : read(value));
}

/** Rust `Vec<T>`. */
export function sequence<T>(read: ParamReader<T>): ParamReader<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) throw invalidType(value, 'a sequence');
    return (value as readonly JsonValue[]).map(read);
  };
}

function readUnsigned(value: JsonValue, max: bigint, expected: string): bigint {
  if (typeof value !== 'bigint') throw invalidType(value, expected);
  if (value < 0n || value > max) throw invalidValue(value, expected);
  return value;
}
