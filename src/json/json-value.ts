/**
 * A number written with a fraction or an exponent, or one beyond 64-bit integers. Kept apart from integers as
 * serde does: `1.0` and `1e3` are not integers.
 */
export class Float64 {
  readonly value: number;
  readonly #literal: string | undefined;

  constructor(value: number, literal?: string) {
    this.value = value;
    this.#literal = literal;
  }

  /** The source text, if the number was parsed. */
  get literal(): string | undefined {
    return this.#literal;
  }

  /** As serde_json prints it, e.g. `1.0`. */
  toString(): string {
    return floatText(this.value);
  }
}

/** JSON text that is inserted into an answer verbatim. */
export class JsonText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** A JSON object. Of a member named twice it holds the last value. */
export type JsonObject = ReadonlyMap<string, JsonValue>;

/** Parsed JSON. Integers from -2^63 to 2^64 - 1 are bigint, all other numbers {@link Float64}. */
export type JsonValue = null | boolean | bigint | Float64 | string | readonly JsonValue[] | JsonObject;

/** JSON to write. `number` is for integers that a double holds exactly; undefined members are omitted. */
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

/**
 * An object to write, members in this order. Names are written without escaping: they are literals of this
 * code and never come from a request.
 */
export interface JsonOutputObject {
  readonly [member: string]: JsonOutput | undefined;
}

/** From 10^16 up and below 10^-5 serde_json's float printer (`ryu`, later `zmij`) uses an exponent. */
const PLAIN_MIN = 1e-5;
const PLAIN_END = 1e16;

/**
 * A finite double as serde_json 1.0.146 and later print it: the shortest digits that round-trip, always with
 * a fraction (`1.0`) or an exponent (`1.8446744073709552e+19`, `1e-6`).
 */
export function floatText(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= PLAIN_MIN && magnitude < PLAIN_END) {
    return Number.isInteger(value) ? `${value}.0` : String(value);
  }
  if (magnitude === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  return value.toExponential();
}
