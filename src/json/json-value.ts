import { floatText } from './float-text.ts';

/**
 * A number that was written with a fraction or an exponent, or that no 64-bit integer holds. Kept apart from
 * integers because serde does: `1.0` and `1e3` are no integers to it.
 */
export class Float64 {
  readonly value: number;
  readonly #literal: string | undefined;

  constructor(value: number, literal?: string) {
    this.value = value;
    this.#literal = literal;
  }

  /** As it was written, where it was read. */
  get literal(): string | undefined {
    return this.#literal;
  }

  /** As serde_json prints it, e.g. `1.0`. */
  toString(): string {
    return floatText(this.value);
  }
}

/** JSON that is written already, to be put into an answer as it is. */
export class JsonText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** A JSON object; a member that is named twice has its last value. */
export type JsonObject = ReadonlyMap<string, JsonValue>;

/** JSON as it was read. Integers from -2^63 to 2^64 - 1 are bigint, all other numbers {@link Float64}. */
export type JsonValue = null | boolean | bigint | Float64 | string | readonly JsonValue[] | JsonObject;

/**
 * JSON to be written. `number` is for integers that a double holds exactly; members that are undefined are
 * left out.
 */
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
 * An object to be written, members in this order. Their names are written as they are: they are words of this
 * code, never of a request, so that nothing in them needs an escape.
 */
export interface JsonOutputObject {
  readonly [member: string]: JsonOutput | undefined;
}
