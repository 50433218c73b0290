import { Float64, type JsonOutput, type JsonOutputObject, JsonText, writeJson } from './write-json.ts';

/** Characters per piece. Encoding a piece takes a fraction of a millisecond. */
const PIECE_LENGTH = 256 * 1024;

/** JSON text that may become long. It is encoded in pieces outside the heap and never copied as a whole. */
export class LongText extends JsonText {
  readonly #pieces: Buffer[] = [];
  /** The part that is not encoded yet. */
  #rest = '';
  /** Length of the encoded pieces, in characters and in bytes. */
  #pieceLength = 0;
  #pieceBytes = 0;

  constructor() {
    super('');
  }

  /** Creates a text from UTF-8 bytes. */
  static of(pieces: readonly Buffer[]): LongText {
    const text = new LongText();
    text.#pieces.push(...pieces);
    text.#pieceBytes = pieces.reduce((sum, { length }) => sum + length, 0);
    text.#pieceLength = text.#pieceBytes;
    return text;
  }

  /** Length in characters. For text created from bytes, length in bytes. */
  get length(): number {
    return this.#pieceLength + this.#rest.length;
  }

  /** Whether no piece is encoded yet. {@link toString} then copies nothing. */
  get isShort(): boolean {
    return this.#pieces.length === 0;
  }

  append(text: string): this {
    this.#rest += text;
    if (this.#rest.length >= PIECE_LENGTH) this.#flush();
    return this;
  }

  /** Appends another text. Shares its pieces instead of copying them. */
  appendLong(text: LongText): this {
    if (text.isShort) return this.append(text.#rest);
    this.#flush();
    this.#pieces.push(...text.#pieces);
    this.#pieceLength += text.#pieceLength;
    this.#pieceBytes += text.#pieceBytes;
    return this.append(text.#rest);
  }

  /** Returns the whole text in UTF-8. Append nothing afterwards. */
  toPieces(): { readonly pieces: readonly Buffer[]; readonly byteCount: number } {
    this.#flush();
    return { pieces: this.#pieces, byteCount: this.#pieceBytes };
  }

  override toString(): string {
    return this.isShort ? this.#rest : this.#pieces.map(String).join('') + this.#rest;
  }

  #flush(): void {
    if (this.#rest === '') return;
    const piece = Buffer.from(this.#rest);
    this.#pieceLength += this.#rest.length;
    this.#pieceBytes += piece.length;
    this.#pieces.push(piece);
    this.#rest = '';
  }
}

/** Appends `value` as written by `writeJson`. Shares the pieces of a {@link LongText}. */
export function appendJson(text: LongText, value: JsonOutput): void {
  if (value instanceof LongText) text.appendLong(value);
  else if (isObject(value)) appendMembers(text, value);
  else text.append(writeJson(value));
}

function appendMembers(text: LongText, object: JsonOutputObject): void {
  let separator = '{';
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    text.append(`${separator}"${name}":`);
    appendJson(text, value);
    separator = ',';
  }
  text.append(separator === '{' ? '{}' : '}');
}

function isObject(value: JsonOutput): value is JsonOutputObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof Float64 || value instanceof JsonText);
}

/** Bytes per piece. A multiple of 3, because only the last piece may have padding. */
const BYTES_AT_ONCE = 192 * 1024;

/** Bytes that are written as a base64 JSON string. Base64 needs no JSON escapes. */
export class Base64Text extends JsonText {
  readonly #bytes: Buffer;

  /** @param bytes must not be changed afterwards. */
  constructor(bytes: Uint8Array) {
    super('');
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  override toString(): string {
    return `"${this.#bytes.toString('base64')}"`;
  }

  /** Yields the text in pieces. Encoding a piece takes a fraction of a millisecond. */
  *pieces(): Iterable<string> {
    yield '"';
    for (let at = 0; at < this.#bytes.length; at += BYTES_AT_ONCE) {
      yield this.#bytes.toString('base64', at, Math.min(at + BYTES_AT_ONCE, this.#bytes.length));
    }
    yield '"';
  }
}
