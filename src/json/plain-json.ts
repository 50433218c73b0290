import { Float64, type JsonValue } from './json-value.ts';
import { readNumber } from './number-literal.ts';
import { JsonDepthError, JsonSyntaxError, readJson } from './read-json.ts';

/** The value of a text, or why it is rejected. `__proto__` is a member like any other. */
type PlainJson = { readonly value: unknown; readonly fault?: undefined } | { readonly fault: JsonFault };

/** `repeated`: an object has several members of that name. */
export type JsonFault =
  | { readonly kind: 'syntax' }
  | { readonly kind: 'depth' }
  | { readonly kind: 'repeated'; readonly name: string };

/**
 * Parses one JSON text (RFC 8259) into plain JavaScript values, none of them another than was written:
 * `JSON.parse` is silent where it rounds a number or drops all but the last of several members with one name.
 * Numbers are as in {@link readNumber}.
 *
 * @param depthMax how many levels of arrays and objects may nest.
 */
export function readPlainJson(text: string, depthMax: number): PlainJson {
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
    if (error instanceof JsonSyntaxError) return { fault: { kind: 'syntax' } };
    throw error;
  }
}

function toPlain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return readNumber(String(value));
  if (value instanceof Float64) return readNumber(value.literal as string);
  if (value instanceof Map) {
    return Object.fromEntries(Array.from(value, ([name, member]) => [name, toPlain(member)]));
  }
  return Array.isArray(value) ? value.map(toPlain) : value;
}
