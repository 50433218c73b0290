import { Float64, type JsonValue } from './json-value.ts';
import { readNumber } from './number-literal.ts';
import { JsonDepthError, readJson } from './read-json.ts';

/**
 * JSON as plain JavaScript values, and none of them another than was written. `JSON.parse` is fast, and silent where it
 * rounds a number or drops all but the last of several members with one name. So its value is taken where the text
 * proves that it did neither, as nearly every request does; all other texts are read by the exact reader.
 */

/** The value of a text, or why it is not taken. Objects have `__proto__` as a member like any other. */
export type PlainJson =
  | { readonly value: unknown; readonly fault?: undefined }
  | { readonly fault: JsonFault };

/** `repeated`: an object has several members of that name. */
export type JsonFault =
  | { readonly kind: 'syntax' }
  | { readonly kind: 'depth' }
  | { readonly kind: 'repeated'; readonly name: string };

/**
 * A number that may be no JavaScript number: with a fraction, an exponent, 16 digits, or minus zero. In a string it does
 * no harm: the text is then read exactly for nothing.
 */
const UNPROVEN_NUMBER = /[:,[\s]-?(?:\d{16}|\d+[.eE])|[:,[\s]-0/;

/**
 * Reads one JSON text (RFC 8259). Numbers are as {@link readNumber} reads them.
 *
 * @param depthMax how many levels of arrays and objects there may be inside one another.
 */
export function readPlainJson(text: string, depthMax: number): PlainJson {
  const value = parse(text);
  if (value === undefined) return { fault: { kind: 'syntax' } };
  return isProven(text, value, depthMax) ? { value } : readExactly(text, depthMax);
}

/** As {@link readPlainJson}, by the exact reader alone. `text` must be JSON. */
export function readExactly(text: string, depthMax: number): PlainJson {
  try {
    const { value, repeatedNames } = readJson(text, {
      depthMax,
      takesLoneSurrogates: true,
      takesHugeNumbers: true,
    });
    const [repeated] = repeatedNames.values();
    if (repeated === undefined) return { value: toPlain(value) };
    return { fault: { kind: 'repeated', name: repeated[0] as string } };
  } catch (error) {
    if (error instanceof JsonDepthError) return { fault: { kind: 'depth' } };
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether `value` is what `text` says, member by member. Each member takes a colon, also one that `JSON.parse` dropped:
 * where there are as many colons as members left, none was dropped and none is in a string.
 */
function isProven(text: string, value: unknown, depthMax: number): boolean {
  if (typeof value === 'number') return false;
  return countMembers(value, depthMax) === countColons(text) && !UNPROVEN_NUMBER.test(text);
}

/** How many members all objects in a value have; NaN when it nests deeper than `depthMax`. */
function countMembers(value: unknown, depthMax: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depthMax === 0) return Number.NaN;
  const items: readonly unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : items.length;
  for (const item of items) count += countMembers(item, depthMax - 1);
  return count;
}

function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}

function toPlain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return readNumber(String(value));
  if (value instanceof Float64) return readNumber(value.literal as string);
  if (value instanceof Map) {
    return Object.fromEntries(Array.from(value, ([name, member]) => [name, toPlain(member)]));
  }
  return Array.isArray(value) ? value.map(toPlain) : value;
}
