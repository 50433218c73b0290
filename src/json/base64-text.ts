import { JsonText } from './json-value.ts';

/** Bytes that are encoded at a time; a multiple of 3, so that what comes of them can stand side by side. */
const BYTES_AT_ONCE = 192 * 1024;

/**
 * Bytes in base64 as a JSON string, encoded when they are written. It has nothing in it that needs an escape.
 */
export class Base64Text extends JsonText {
  readonly #bytes: Buffer;

  /** @param bytes not to be changed. */
  constructor(bytes: Uint8Array) {
    super('');
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  override toString(): string {
    return `"${this.#bytes.toString('base64')}"`;
  }

  /** The same text in pieces, each of which takes a fraction of a millisecond. */
  *pieces(): Iterable<string> {
    yield '"';
    for (let at = 0; at < this.#bytes.length; at += BYTES_AT_ONCE) {
      yield this.#bytes.toString('base64', at, Math.min(at + BYTES_AT_ONCE, this.#bytes.length));
    }
    yield '"';
  }
}
