import { NESTING_MAX } from '../json/parse-json.ts';

/** Values of an answer that are longer are not parsed, characters. */
export const LONG_VALUE = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
/** From `[` to `]`, and from `{` to `}`. */
const TO_CLOSING = 2;

/**
 * Reads the text of a JSON object piece by piece and replaces each long value by 0, so that the rest can be
 * parsed quickly. Long values themselves are only checked for matching brackets, a nesting depth of at most
 * {@link NESTING_MAX} and terminated strings, so that every reader finds the same end of the value.
 */
export class AnswerOutline {
  readonly #closings: number[] = [];
  #kept = '';
  /** Offset in the outline of the top-level value being read; null between values. */
  #valueAt: number | null = null;
  #isLong = false;
  #isInString = false;
  /** Whether the previous piece ended with a backslash that escapes the next character. */
  #isEscaping = false;
  #isBroken = false;

  /** @param text one character per byte of UTF-8, of any length. */
  add(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length && !this.#isBroken;) {
      if (this.#isInString) {
        at = this.#endOfString(text, at);
        if (!this.#isInString && this.#closings.length === 1) from = this.#endValue(text, from, at);
        continue;
      }
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        if (this.#closings.length === 1) from = this.#beginValue(text, from, at);
        this.#isInString = true;
      } else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
        if (this.#closings.length === 1) from = this.#beginValue(text, from, at);
        this.#isBroken = this.#closings.push(code + TO_CLOSING) > NESTING_MAX;
      } else if (code === OPENING_BRACKET + TO_CLOSING || code === OPENING_BRACE + TO_CLOSING) {
        this.#isBroken = this.#closings.pop() !== code;
        if (this.#closings.length === 1) from = this.#endValue(text, from, at + 1);
      }
      at += 1;
    }
    this.#keep(text.slice(from));
  }

  /** The outline, once all is added; null if brackets do not match or nest deeper, or a string is open. */
  get text(): string | null {
    return this.#isBroken || this.#isInString || this.#closings.length > 0 ? null : this.#kept;
  }

  /** Returns the index after the string, or the end of the text if the string continues in the next piece. */
  #endOfString(text: string, from: number): number {
    let start = this.#isEscaping ? from + 1 : from;
    this.#isEscaping = false;
    for (;;) {
      const quote = text.indexOf('"', start);
      const end = quote < 0 ? text.length : quote;
      let slashes = 0;
      while (end - slashes > start && text.charCodeAt(end - slashes - 1) === BACKSLASH) slashes += 1;
      if (quote < 0) {
        this.#isEscaping = slashes % 2 === 1;
        return text.length;
      }
      if (slashes % 2 === 0) {
        this.#isInString = false;
        return quote + 1;
      }
      start = quote + 1;
    }
  }

  #beginValue(text: string, from: number, at: number): number {
    this.#keep(text.slice(from, at));
    this.#valueAt = this.#kept.length;
    return at;
  }

  #endValue(text: string, from: number, end: number): number {
    this.#keep(text.slice(from, end));
    this.#valueAt = null;
    this.#isLong = false;
    return end;
  }

  #keep(text: string): void {
    if (this.#isLong) return;
    this.#kept += text;
    if (this.#valueAt === null || this.#kept.length - this.#valueAt <= LONG_VALUE) return;
    this.#kept = `${this.#kept.slice(0, this.#valueAt)}0`;
    this.#isLong = true;
  }
}
