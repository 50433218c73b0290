/**
 * A number with a fraction or an exponent, or beyond 64-bit integers. As in serde, `1.0` and `1e3` are not
 * integers.
 */
export class Float64 {
  readonly value: number;
  readonly #literal: string | undefined;

  constructor(value: number, literal?: string) {
    this.value = value;
    this.#literal = literal;
  }

  /** The source text, if the number was parsed from JSON. */
  get literal(): string | undefined {
    return this.#literal;
  }

  /** Formats the number like serde_json, for example `1.0`. */
  toString(): string {
    return floatText(this.value);
  }
}

/** JSON text that is written verbatim. */
export class JsonText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** A JSON object. A repeated member has its last value. */
export type JsonObject = ReadonlyMap<string, JsonValue>;

/** Parsed JSON. Integers from -2^63 to 2^64 - 1 are bigint, all other numbers {@link Float64}. */
export type JsonValue = null | boolean | bigint | Float64 | string | readonly JsonValue[] | JsonObject;

/** JSON to write. A `number` must be an exact integer. Undefined members are omitted. */
export type JsonOutput =
  | null
  | boolean
  | number
  | bigint
  | Float64
  | JsonText
  | string
  | readonly JsonOutput[]
  | JsonOutputObject;

/** An object to write. Member names are written without escaping, so they must be literals of this code. */
export interface JsonOutputObject {
  readonly [member: string]: JsonOutput | undefined;
}

/** serde_json's float printer (`ryu`, later `zmij`) uses an exponent outside this range. */
const PLAIN_MIN = 1e-5;
const PLAIN_END = 1e16;

/**
 * Formats a finite double like serde_json since 1.0.146: the shortest digits that round-trip, always with a
 * fraction (`1.0`) or an exponent (`1.8446744073709552e+19`, `1e-6`).
 */
export function floatText(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= PLAIN_MIN && magnitude < PLAIN_END) {
    return Number.isInteger(value) ? `${value}.0` : String(value);
  }
  if (magnitude === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  return value.toExponential();
}

/** Characters that need an escape in a JSON string. */
// oxlint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;

/** Writes compact JSON: bigints as digits, {@link Float64} with its fraction, {@link JsonText} verbatim. */
export function writeJson(value: JsonOutput): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value === null) return 'null';
      if (Array.isArray(value)) return writeArray(value);
      if (value instanceof Float64 || value instanceof JsonText) return value.toString();
      return writeObject(value as JsonOutputObject);
  }
}

/** Writes `text` as a JSON string literal. */
export function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function writeArray(items: readonly JsonOutput[]): string {
  let text = '';
  let separator = '[';
  for (const item of items) {
    text += separator + writeJson(item);
    separator = ',';
  }
  return text === '' ? '[]' : `${text}]`;
}

function writeObject(object: JsonOutputObject): string {
  let text = '';
  let separator = '{';
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    text += `${separator}"${name}":${writeJson(value)}`;
    separator = ',';
  }
  return text === '' ? '{}' : `${text}}`;
}
