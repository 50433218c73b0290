import { Float64, type JsonObject, type JsonValue } from './write-json.ts';

/** Rules that RFC 8259 leaves to the parser. */
interface JsonRules {
  /** Maximum nesting of arrays and objects. */
  readonly depthMax: number;
  /** Whether half of a surrogate pair (`\ud800`) is accepted. */
  readonly allowsLoneSurrogates: boolean;
  /** Whether a number beyond a double's range is accepted. Its value is then infinite. */
  readonly allowsHugeNumbers: boolean;
}

/** The rules of serde_json, which allows 128 levels and counts the outermost value as one. */
const SERDE_RULES: JsonRules = { depthMax: 127, allowsLoneSurrogates: false, allowsHugeNumbers: false };

const U64_MAX = 0xffff_ffff_ffff_ffffn;
const I64_MIN = -0x8000_0000_0000_0000n;

/** Integers with up to this many digits are exact in a double. */
const EXACT_DIGITS_MAX = 15;
/** Length of `-9223372036854775808` and `18446744073709551615`. Longer tokens do not fit in 64 bits. */
const INTEGER_TOKEN_MAX = 20;

/** An escape, or a control character, which JSON strings must escape. */
// oxlint-disable-next-line no-control-regex
const NEEDS_CARE = /[\\\u0000-\u001f]/;

/** Thrown for text that is not JSON. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';

  constructor(what: string, index: number) {
    super(`${what} at index ${index}`);
  }
}

/** Thrown for text that nests deeper than the rules allow. */
export class JsonDepthError extends JsonSyntaxError {}

/** The result of {@link readJson}. */
export interface JsonDocument {
  readonly value: JsonValue;
  /** Repeated member names by object. Serde rejects them in structs but not in maps. */
  readonly repeatedNames: ReadonlyMap<JsonObject, readonly string[]>;
}

/**
 * Parses one JSON text (RFC 8259), by default as strictly as serde_json: at most 127 levels deep, no numbers
 * beyond a double, no lone surrogates, nothing after the value. Numbers keep their digits, unlike with
 * `JSON.parse` of Node 20.
 *
 * @throws {JsonSyntaxError}
 * @throws {JsonDepthError} at the first bracket that is too deep. The text after it is not checked.
 */
export function readJson(text: string, rules: JsonRules = SERDE_RULES): JsonDocument {
  return new JsonReader(text, rules).document();
}

const NOTHING_REPEATED: ReadonlyMap<JsonObject, readonly string[]> = new Map();

class JsonReader {
  readonly #text: string;
  readonly #rules: JsonRules;
  #at = 0;
  #depth = 0;
  #repeated: Map<JsonObject, string[]> | undefined;

  constructor(text: string, rules: JsonRules) {
    this.#text = text;
    this.#rules = rules;
  }

  document(): JsonDocument {
    const value = this.#value(this.#skipSpace());
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#fault('text after the value');
    return { value, repeatedNames: this.#repeated ?? NOTHING_REPEATED };
  }

  /** Reads the value at the current position. `code` is its first character. */
  #value(code: number): JsonValue {
    switch (code) {
      case 0x22:
        this.#at++;
        return this.#string();
      case 0x7b:
        return this.#object();
      case 0x5b:
        return this.#array();
      case 0x74:
        return this.#word('true', true);
      case 0x66:
        return this.#word('false', false);
      case 0x6e:
        return this.#word('null', null);
      default:
        return this.#number(code);
    }
  }

  #object(): JsonObject {
    this.#descend();
    const members = new Map<string, JsonValue>();
    let code = this.#skipSpace();
    if (code !== 0x7d) {
      for (;;) {
        if (code !== 0x22) throw this.#fault('a member name was expected');
        this.#at++;
        const name = this.#string();
        if (this.#skipSpace() !== 0x3a) throw this.#fault('":" was expected');
        this.#at++;
        const known = members.size;
        members.set(name, this.#value(this.#skipSpace()));
        if (members.size === known) this.#noteRepeated(members, name);
        code = this.#skipSpace();
        if (code !== 0x2c) break;
        this.#at++;
        code = this.#skipSpace();
      }
      if (code !== 0x7d) throw this.#fault('"," or "}" was expected');
    }
    this.#ascend();
    return members;
  }

  #array(): JsonValue[] {
    this.#descend();
    const items: JsonValue[] = [];
    let code = this.#skipSpace();
    if (code !== 0x5d) {
      for (;;) {
        items.push(this.#value(code));
        code = this.#skipSpace();
        if (code !== 0x2c) break;
        this.#at++;
        code = this.#skipSpace();
      }
      if (code !== 0x5d) throw this.#fault('"," or "]" was expected');
    }
    this.#ascend();
    return items;
  }

  /** Reads the rest of a string after its opening quote. */
  #string(): string {
    const start = this.#at;
    const end = this.#text.indexOf('"', start);
    if (end < 0) throw this.#fault('an unterminated string');
    const plain = this.#text.slice(start, end);
    if (NEEDS_CARE.test(plain)) return this.#escapedString();
    this.#at = end + 1;
    return plain;
  }

  #escapedString(): string {
    let result = '';
    let from = this.#at;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) break;
      // The condition is negated, because NaN, the code past the end, must fail too.
      if (!(code >= 0x20)) throw this.#fault('a control character in a string, or an unterminated string');
      if (code === 0x5c) {
        result += this.#text.slice(from, this.#at) + this.#escape();
        from = this.#at;
      } else this.#at++;
    }
    result += this.#text.slice(from, this.#at);
    this.#at++;
    return result;
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1];
    if (letter === 'u') return this.#unicodeEscape();
    const character = letter === undefined ? undefined : SHORT_ESCAPES.get(letter);
    if (character === undefined) throw this.#fault('an unknown escape');
    this.#at += 2;
    return character;
  }

  #unicodeEscape(): string {
    const unit = this.#hexUnit();
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    // Concatenating both halves of a pair yields the character they encode.
    if (this.#rules.allowsLoneSurrogates) return String.fromCharCode(unit);
    if (unit > 0xdbff) throw this.#fault('a lone surrogate');
    const low = this.#hexUnit();
    if (low < 0xdc00 || low > 0xdfff) throw this.#fault('a lone surrogate');
    return String.fromCharCode(unit, low);
  }

  /** Reads the UTF-16 unit of the `\uXXXX` at the current position. */
  #hexUnit(): number {
    const digits = this.#text.slice(this.#at + 2, this.#at + 6);
    if (!this.#text.startsWith('\\u', this.#at) || !/^[0-9a-fA-F]{4}$/.test(digits)) {
      throw this.#fault('"\\u" and four hex digits were expected');
    }
    this.#at += 6;
    return Number.parseInt(digits, 16);
  }

  #number(firstCode: number): bigint | Float64 {
    const start = this.#at;
    const negative = firstCode === 0x2d;
    if (negative) this.#at++;
    const wholeStart = this.#at;
    this.#digits();
    const wholeLength = this.#at - wholeStart;
    if (wholeLength > 1 && this.#text.charCodeAt(wholeStart) === 0x30) throw this.#fault('a leading zero');
    const isInteger = !this.#fractionAndExponent();
    const token = this.#text.slice(start, this.#at);
    // Serde reads `-0` as the float -0.0, because no integer has that value.
    if (isInteger && token !== '-0') {
      if (wholeLength <= EXACT_DIGITS_MAX) return BigInt(Number(token));
      if (token.length <= INTEGER_TOKEN_MAX) {
        const integer = BigInt(token);
        if (integer >= I64_MIN && integer <= U64_MAX) return integer;
      }
    }
    const value = Number(token);
    if (!Number.isFinite(value) && !this.#rules.allowsHugeNumbers) throw this.#fault('a number out of range');
    return new Float64(value, token);
  }

  #fractionAndExponent(): boolean {
    const start = this.#at;
    if (this.#text.charCodeAt(this.#at) === 0x2e) {
      this.#at++;
      this.#digits();
    }
    // Setting bit 5 makes an ASCII letter lower case.
    if ((this.#text.charCodeAt(this.#at) | 0x20) === 0x65) {
      this.#at++;
      const sign = this.#text.charCodeAt(this.#at);
      if (sign === 0x2b || sign === 0x2d) this.#at++;
      this.#digits();
    }
    return this.#at > start;
  }

  #digits(): void {
    const start = this.#at;
    let code = this.#text.charCodeAt(start);
    while (code >= 0x30 && code <= 0x39) code = this.#text.charCodeAt(++this.#at);
    if (this.#at === start) throw this.#fault('a value was expected');
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#fault('a value was expected');
    this.#at += word.length;
    return value;
  }

  /** Advances to the next character that is not white space and returns its code; NaN at the end. */
  #skipSpace(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      code = this.#text.charCodeAt(++this.#at);
    }
    return code;
  }

  #descend(): void {
    if (++this.#depth > this.#rules.depthMax) throw new JsonDepthError('too many levels', this.#at);
    this.#at++;
  }

  #ascend(): void {
    this.#depth--;
    this.#at++;
  }

  #noteRepeated(members: JsonObject, name: string): void {
    this.#repeated ??= new Map();
    const names = this.#repeated.get(members);
    if (names === undefined) this.#repeated.set(members, [name]);
    else names.push(name);
  }

  #fault(what: string): JsonSyntaxError {
    return new JsonSyntaxError(what, this.#at);
  }
}

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
