import { JsonDepthError, JsonSyntaxError, readJson } from './read-json.ts';
import { Float64, type JsonValue } from './write-json.ts';

/** The value of a text, or the fault in it. `__proto__` is a plain member. */
type PlainJson = { readonly value: unknown; readonly fault?: undefined } | { readonly fault: JsonFault };

/** The fault in a JSON text. `repeated`: an object has several members with that name. */
export type JsonFault =
  | { readonly kind: 'syntax' }
  | { readonly kind: 'depth' }
  | { readonly kind: 'repeated'; readonly name: string };

/**
 * Parses one JSON text (RFC 8259) into plain JavaScript values without losing information. `JSON.parse`
 * silently rounds numbers and drops repeated members. {@link readNumber} parses the numbers.
 *
 * @param depthMax deepest nesting of arrays and objects.
 */
export function readPlainJson(text: string, depthMax: number): PlainJson {
  try {
    const { value, repeatedNames } = readJson(text, {
      depthMax,
      allowsLoneSurrogates: true,
      allowsHugeNumbers: true,
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

/** The parts of a number literal (RFC 8259, section 6). */
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * A JSON number that JavaScript would print differently: `1.0`, `1e3`, `9007199254740993`. It keeps the
 * source text, so the caller can decide whether the nearest double is good enough.
 */
export class NumberLiteral {
  readonly literal: string;

  /** @param literal a number in JSON's grammar. */
  constructor(literal: string) {
    this.literal = literal;
  }

  /** The number (`1.0` is 1); undefined if a double cannot represent it exactly. */
  get exactValue(): number | undefined {
    const value = Number(this.literal);
    return Number.isFinite(value) && normalize(this.literal) === normalize(String(value)) ? value : undefined;
  }
}

/** Parses a JSON number. Returns a number if JavaScript prints it the same, otherwise its literal. */
export function readNumber(literal: string): number | NumberLiteral {
  const value = Number(literal);
  return String(value) === literal ? value : new NumberLiteral(literal);
}

/** Formats sign, significant digits and exponent. Equal values have equal texts. */
function normalize(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length - (digits.length - significant.length))}`;
}
