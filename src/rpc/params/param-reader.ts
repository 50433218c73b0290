import { Float64, type JsonValue } from '../../json/write-json.ts';

/**
 * Converts a JSON value to a method's argument, or throws a {@link ParamFault}. Readers compose like serde's
 * `Deserialize` implementations and report faults with the same texts.
 */
export type ParamReader<T> = (value: JsonValue) => T;

/** A fault in a parameter, in serde's words without the final dot. */
export class ParamFault extends Error {
  override readonly name = 'ParamFault';
}

/** Creates the fault for a value that does not have the type `expected`. */
export function invalidType(value: JsonValue, expected: string): ParamFault {
  return new ParamFault(`invalid type: ${describeUnexpected(value)}, expected ${expected}`);
}

/** Creates the fault for a value that has the right type but is out of bounds. */
export function invalidValue(value: JsonValue, expected: string): ParamFault {
  return new ParamFault(`invalid value: ${describeUnexpected(value)}, expected ${expected}`);
}

/** Describes an unexpected JSON value like serde (`serde::de::Unexpected`, with serde_json's `null`). */
export function describeUnexpected(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `string ${debugString(value)}`;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value === 'bigint') return `integer \`${value}\``;
  if (value instanceof Float64) return `floating point \`${value}\``;
  return Array.isArray(value) ? 'sequence' : 'map';
}

/** Formats a JSON value like Rust's `{:?}` (serde_json `Value`), with members sorted by name. */
export function debugValue(value: JsonValue): string {
  if (value === null) return 'Null';
  if (typeof value === 'string') return `String(${debugString(value)})`;
  if (typeof value === 'boolean') return `Bool(${value})`;
  if (typeof value === 'bigint' || value instanceof Float64) return `Number(${value})`;
  return value instanceof Map ? `Object ${debugMembers(value)}` : `Array ${debugItems(value as JsonValue[])}`;
}

/** Formats a list of JSON values like Rust's `{:?}`: `[Number(1), Null]`. */
export function debugItems(items: readonly JsonValue[]): string {
  return `[${items.map(debugValue).join(', ')}]`;
}

/** Formats a map of JSON values like Rust's `{:?}`: `{"a": Number(1)}`. */
export function debugMembers(members: ReadonlyMap<string, JsonValue>): string {
  const names = [...members.keys()].sort();
  const texts = names.map((name) => `${debugString(name)}: ${debugValue(members.get(name) as JsonValue)}`);
  return `{${texts.join(', ')}}`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** Characters that Rust's `char::escape_debug` escapes, plus the space. */
const NOT_SHOWN = /["\\\p{Grapheme_Extend}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/gu;

/** Formats a string like Rust's `{:?}`. */
export function debugString(text: string): string {
  const escaped = text.replace(NOT_SHOWN, (character) => {
    if (character === ' ') return character;
    return SHORT_ESCAPES[character] ?? `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
  });
  return `"${escaped}"`;
}
