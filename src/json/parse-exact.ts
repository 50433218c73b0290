import { endOfString } from './json-text.ts';

/** More digits than any integer has that a double holds exactly for certain. */
const LONG_DIGITS = /\d{16}/;
const LONG_INTEGER = /^-?\d{16,}$/;
const NUMBER_TOKEN = /-?\d[-+.eE\d]*/g;

/**
 * `JSON.parse` that loses no digits: integers of 16 digits or more come as strings of their digits. Ledgers
 * answer with u64 (lamports, `rentEpoch` 18446744073709551615), which a double rounds.
 *
 * @throws {SyntaxError} when `text` is not JSON.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(LONG_DIGITS.test(text) ? quoteLongIntegers(text) : text);
}

function quoteLongIntegers(text: string): string {
  let result = '';
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const stringStart = quote < 0 ? text.length : quote;
    result += text.slice(at, stringStart).replace(NUMBER_TOKEN, quoteIfLong);
    at = endOfString(text, stringStart);
    result += text.slice(stringStart, at);
  }
  return result;
}

const quoteIfLong = (token: string): string => (LONG_INTEGER.test(token) ? `"${token}"` : token);
