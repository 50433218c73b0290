import type { JsonObject, JsonValue } from '../../json/write-json.ts';
import { type Address, ADDRESS_BYTES, ADDRESS_TEXT_MAX, decodeKey } from '../../solana/address.ts';
import { type Commitment, COMMITMENTS } from '../../solana/commitment.ts';
import { SIGNATURE_BYTES, SIGNATURE_TEXT_MAX } from '../../solana/signature.ts';
import { invalidParams } from '../errors.ts';
import { invalidType, invalidValue, ParamFault, type ParamReader } from './param-reader.ts';

/** Reads a Rust `String`. */
export const string: ParamReader<string> = (value) => {
  if (typeof value !== 'string') throw invalidType(value, 'a string');
  return value;
};

/** Reads a Rust `bool`. */
export const bool: ParamReader<boolean> = (value) => {
  if (typeof value !== 'boolean') throw invalidType(value, 'a boolean');
  return value;
};

/** Reads a Rust `u8`. */
export const u8: ParamReader<number> = (value) => Number(readUnsigned(value, 0xffn, 'u8'));

/** Reads a Rust `u64`. */
export const u64: ParamReader<bigint> = (value) => readUnsigned(value, 0xffff_ffff_ffff_ffffn, 'u64');

/** Reads a Rust `usize` on a 64-bit machine. */
export const usize: ParamReader<bigint> = (value) => readUnsigned(value, 0xffff_ffff_ffff_ffffn, 'usize');

/** Reads a u64, also from a decimal string, for clients whose numbers are exact only up to 2^53. */
export const baseUnits: ParamReader<bigint> = (value) => {
  // `u64::MAX` has 20 digits. Any other text stays a string and is rejected.
  const digits = typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : value;
  return readUnsigned(digits, 0xffff_ffff_ffff_ffffn, 'u64 as an integer or a decimal string');
};

/** Reads a Rust `Option<T>`: null is `None`. */
function option<T>(read: ParamReader<T>): ParamReader<T | undefined> {
  return (value) => (value === null ? undefined : read(value));
}

/** Reads a Rust `Vec<T>`. */
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

/** One member of a struct. */
interface Field<T> {
  readonly read: ParamReader<T>;
  /** The value of an absent member; undefined if the member is required. */
  readonly absent?: { readonly value: T; readonly alsoInSequence: boolean };
}

/** Declares a required member. */
export const required = <T>(read: ParamReader<T>): Field<T> => ({ read });

/** Declares a Rust `Option` member, which may be null or absent. */
export const optional = <T>(read: ParamReader<T>): Field<T | undefined> => ({
  read: option(read),
  absent: { value: undefined, alsoInSequence: false },
});

/** Declares a member with `#[serde(default)]`, which may be absent, but not null. */
export const withDefault = <T>(read: ParamReader<T>, value: T): Field<T> => ({
  read,
  absent: { value, alsoInSequence: true },
});

/** Declares a flattened `Option` struct. Serde treats it as absent if it has any fault. */
const flattened = <T>(read: ParamReader<T>): Field<T | undefined> => ({
  read: (value) => {
    try {
      return read(value);
    } catch (error) {
      if (error instanceof ParamFault) return undefined;
      throw error;
    }
  },
  absent: { value: undefined, alsoInSequence: false },
});

type Fields<T> = { readonly [Name in keyof T]: Field<T[Name]> };

/**
 * Reads a Rust struct like serde_json from a `Value`: an object or an array of the members in the order of
 * `fields`. Members of an object are checked in the order of their names, and unknown ones are ignored. A
 * struct with flattened members must be an object.
 *
 * @param name Rust's name of the struct, for error texts.
 */
export function struct<T extends object>(
  name: string,
  fields: Fields<T>,
  options: { readonly hasFlattened: boolean } = { hasFlattened: false },
): ParamReader<T> {
  const declared = Object.entries(fields) as [string, Field<unknown>][];
  const byName = [...declared].sort(([left], [right]) => (left < right ? -1 : 1));
  return (value) => {
    if (value instanceof Map) return readObject(value, declared, byName) as T;
    // Serde derives no `visit_seq` for a struct with flattened members.
    if (Array.isArray(value) && !options.hasFlattened) return readSequence(value, declared, name) as T;
    throw invalidType(value, `struct ${name}`);
  };
}

function readObject(
  object: JsonObject,
  declared: readonly [string, Field<unknown>][],
  byName: readonly [string, Field<unknown>][],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  // The order decides which fault is reported first. serde_json reads all members, sorted by name, before it
  // looks for missing ones in declaration order.
  for (const [member, field] of byName) {
    const value = object.get(member);
    if (value !== undefined) result[member] = field.read(value);
  }
  for (const [member, field] of declared) {
    if (object.has(member)) continue;
    if (field.absent === undefined) throw new ParamFault(`missing field \`${member}\``);
    result[member] = field.absent.value;
  }
  return result;
}

function readSequence(
  items: readonly JsonValue[],
  declared: readonly [string, Field<unknown>][],
  name: string,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [index, [member, field]] of declared.entries()) {
    const value = items[index];
    if (value !== undefined) result[member] = field.read(value);
    // Serde's derived `visit_seq` applies `#[serde(default)]` but requires an `Option`, unlike `visit_map`.
    else if (field.absent?.alsoInSequence === true) result[member] = field.absent.value;
    else {
      const elements = declared.length === 1 ? 'element' : 'elements';
      throw new ParamFault(
        `invalid length ${index}, expected struct ${name} with ${declared.length} ${elements}`,
      );
    }
  }
  if (items.length > declared.length) {
    throw new ParamFault(`invalid length ${items.length}, expected fewer elements in array`);
  }
  return result;
}

/** A variant of a {@link tagged} enum: a reader of its content, or its value without content. */
type TaggedVariant<T> = { readonly content: ParamReader<T> } | { readonly unit: T };

/**
 * Reads a Rust enum with contents like serde_json: an object whose only member has the name and the content
 * of the variant. A variant without content may also be a string with its name.
 */
export function tagged<T>(variants: Readonly<Record<string, TaggedVariant<T>>>): ParamReader<T> {
  const names = Object.keys(variants).map((name) => `\`${name}\``);
  const expected = names.length === 2 ? names.join(' or ') : `one of ${names.join(', ')}`;
  return (value) => {
    const [name, content] = nameAndContent(value);
    // Plain access would find `constructor` and similar names on the prototype.
    const known = Object.hasOwn(variants, name) ? variants[name] : undefined;
    if (known === undefined) throw new ParamFault(`unknown variant \`${name}\`, expected ${expected}`);
    if ('content' in known) {
      if (content !== undefined) return known.content(content);
      throw new ParamFault('invalid type: unit variant, expected newtype variant');
    }
    if (content !== undefined && content !== null) throw invalidType(content, 'unit');
    return known.unit;
  };
}

function nameAndContent(value: JsonValue): readonly [string, JsonValue | undefined] {
  if (typeof value === 'string') return [value, undefined];
  if (!(value instanceof Map)) throw invalidType(value, 'string or map');
  const [member, ...others] = value;
  if (member === undefined || others.length > 0) {
    throw new ParamFault('invalid value: map, expected map with a single key');
  }
  return member;
}

/**
 * Reads a Rust enum with `#[serde(untagged)]`: the first reader that accepts the value wins. If none does,
 * serde's message contains only the name of the enum.
 */
export function untagged<T>(name: string, variants: readonly ParamReader<T>[]): ParamReader<T> {
  return (value) => {
    for (const read of variants) {
      try {
        return read(value);
      } catch (error) {
        // Any other error is a bug, not a mismatch.
        if (!(error instanceof ParamFault)) throw error;
      }
    }
    throw new ParamFault(`data did not match any variant of untagged enum ${name}`);
  };
}

/**
 * Reads a fieldless Rust enum, given as the variant's name in a string. Like serde_json, it also accepts
 * an object with that name as its only member and null as the value.
 */
export function variant<const Names extends readonly string[]>(names: Names): ParamReader<Names[number]> {
  return tagged<Names[number]>(Object.fromEntries(names.map((name) => [name, { unit: name }])));
}

/** Reads Agave's `CommitmentLevel`. */
export const commitmentLevel = variant(COMMITMENTS);

/** The commitment in a config that flattens `CommitmentConfig`. An invalid one counts as absent. */
export const flattenedCommitment: Field<Commitment | undefined> = flattened(commitmentLevel);

/** Reads Agave's `CommitmentConfig` as a separate parameter: the commitment is required and must be valid. */
export const commitmentConfig = struct('CommitmentConfig', { commitment: required(commitmentLevel) });

/** The caller's requirements for the state that answers the call. */
export interface ContextConfig {
  readonly commitment: Commitment | undefined;
  readonly minContextSlot: bigint | undefined;
}

/** Reads Agave's `RpcContextConfig`. */
export const contextConfig = struct<ContextConfig>(
  'RpcContextConfig',
  { commitment: flattenedCommitment, minContextSlot: optional(u64) },
  { hasFlattened: true },
);

/**
 * Parses an address.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `verify_pubkey`.
 */
export function verifyAddress(text: string): Address {
  const fault = findKeyFault(text, ADDRESS_BYTES, ADDRESS_TEXT_MAX);
  if (fault !== undefined) throw invalidParams(`Invalid param: ${fault}`);
  return text as Address;
}

/**
 * Checks the base58 text of a signature.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `verify_signature`.
 */
export function verifySignature(text: string): string {
  const fault = findKeyFault(text, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX);
  if (fault !== undefined) throw invalidParams(`Invalid param: ${fault}`);
  return text;
}

/** Returns why `text` is not a base58 hash; undefined for a hash. The rules for addresses apply. */
export function findHashFault(text: string): string | undefined {
  return findKeyFault(text, ADDRESS_BYTES, ADDRESS_TEXT_MAX);
}

function findKeyFault(text: string, byteCount: number, textMax: number): string | undefined {
  const decoded = decodeKey(text, byteCount, textMax);
  if (typeof decoded !== 'string') return undefined;
  // Rust measures text in bytes, so non-ASCII characters can make it too long.
  return Buffer.byteLength(text) > textMax ? 'WrongSize' : decoded;
}
