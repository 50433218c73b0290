import { Float64, type JsonValue } from './json-value.ts';
import { readNumber } from './number-literal.ts';
import { JsonDepthError, readJson } from './read-json.ts';
import { tryParseJson } from './try-parse-json.ts';

/**
 * JSON as plain JavaScript values, and none of them another than was written. `JSON.parse` is fast, and
 * silent where it rounds a number or drops all but the last of several members with one name. So its value is
 * taken where the text proves that it did neither, as nearly every request does; all other texts are read by
 * the exact reader.
 */

/** The value of a text, or why it is rejected. `__proto__` is a member like any other. */
type PlainJson = { readonly value: unknown; readonly fault?: undefined } | { readonly fault: JsonFault };

/** `repeated`: an object has several members of that name. */
export type JsonFault =
  | { readonly kind: 'syntax' }
  | { readonly kind: 'depth' }
  | { readonly kind: 'repeated'; readonly name: string };

/** An integer of at most so many digits is exact, and JavaScript prints it the same. */
const PROVEN_DIGITS_MAX = 15;

/**
 * Parses one JSON text (RFC 8259), with numbers as in {@link readNumber}.
 *
 * @param depthMax how many levels of arrays and objects may nest.
 */
export function readPlainJson(text: string, depthMax: number): PlainJson {
  const value = tryParseJson(text, Infinity);
  if (value === undefined) return { fault: { kind: 'syntax' } };
  return isProven(text, value, depthMax) ? { value } : readExactly(text, depthMax);
}

/** As {@link readPlainJson}, but always with the exact reader. `text` must be valid JSON. */
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

/**
 * Whether `value` is exactly what `text` says. Each member needs a colon, including one that `JSON.parse`
 * dropped. If there are as many colons as members left, none was dropped and none is inside a string, so the
 * text behind the colons holds every number.
 */
function isProven(text: string, value: unknown, depthMax: number): boolean {
  return typeof value !== 'number' && countMembers(value, depthMax) === countProvenColons(text);
}

/**
 * The number of members of all objects in a value. NaN if it nests deeper than `depthMax` or an array holds a
 * number.
 */
function countMembers(value: unknown, depthMax: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depthMax === 0) return Number.NaN;
  const isList = Array.isArray(value);
  const items: readonly unknown[] = isList ? value : Object.values(value);
  let count = isList ? 0 : items.length;
  for (const item of items) {
    if (typeof item === 'object') count += countMembers(item, depthMax - 1);
    else if (isList && typeof item === 'number') return Number.NaN;
  }
  return count;
}

/** The number of colons in a text. NaN if a number behind one may not be exact in JavaScript. */
function countProvenColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    if (!isProvenValue(text, at + 1)) return Number.NaN;
    count += 1;
  }
  return count;
}

/** Whether the value at `start` is not a number, or an integer of few digits other than minus zero. */
function isProvenValue(text: string, start: number): boolean {
  let at = start;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  if (text.charCodeAt(at) === MINUS) {
    at += 1;
    if (text.charCodeAt(at) === ZERO) return false;
  }
  const digits = at;
  while (isDigit(text.charCodeAt(at))) at += 1;
  if (at === digits) return true;
  return at - digits <= PROVEN_DIGITS_MAX && !FRACTION_MARKS.has(text.charCodeAt(at));
}

const SPACE = 0x20;
const MINUS = 0x2d;
const ZERO = 0x30;

/** `.`, `E` and `e`. */
const FRACTION_MARKS: ReadonlySet<number> = new Set([0x2e, 0x45, 0x65]);

const isDigit = (code: number): boolean => code >= ZERO && code <= 0x39;

function toPlain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return readNumber(String(value));
  if (value instanceof Float64) return readNumber(value.literal as string);
  if (value instanceof Map) {
    return Object.fromEntries(Array.from(value, ([name, member]) => [name, toPlain(member)]));
  }
  return Array.isArray(value) ? value.map(toPlain) : value;
}
