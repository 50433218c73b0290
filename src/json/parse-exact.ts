import { endOfString, nestsDeeperThan } from './json-text.ts';
import { NESTING_MAX } from './try-parse-json.ts';

/** Integers of fewer digits are always exact in a double. */
const LONG_DIGITS = /\d{16}/;
const LONG_INTEGER = /^-?\d{16,}$/;
const NUMBER_TOKEN = /-?\d[-+.eE\d]*/g;

/**
 * `JSON.parse` without loss of digits: integers of 16 digits or more become strings. Ledgers answer with u64
 * values (lamports, `rentEpoch` 18446744073709551615), which a double rounds.
 *
 * @throws {SyntaxError} if `text` is not JSON, or nests deeper than {@link NESTING_MAX}.
 */
export function parseExact(text: string): unknown {
  if (nestsDeeperThan(text, NESTING_MAX)) throw new SyntaxError(`nested deeper than ${NESTING_MAX} levels`);
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
