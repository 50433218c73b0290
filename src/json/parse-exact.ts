import { nestsDeeperThan } from './json-text.ts';
import { NESTING_MAX } from './try-parse-json.ts';

/** Integers of fewer digits are always exact in a double. */
const LONG_INTEGER = /\s*(-?\d{16,})(?=\s*[,}])/y;

/**
 * `JSON.parse` without loss of digits: members that are integers of 16 digits or more become strings. Ledgers
 * answer with u64 values (lamports, `rentEpoch` 18446744073709551615), which a double rounds.
 *
 * @throws {SyntaxError} if `text` is not JSON, or nests deeper than {@link NESTING_MAX}.
 */
export function parseExact(text: string): unknown {
  if (nestsDeeperThan(text, NESTING_MAX)) throw new SyntaxError(`nested deeper than ${NESTING_MAX} levels`);
  let exact = '';
  let copied = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 1)) {
    // With a backslash before it, the quotation mark is inside a string.
    if (text[at - 1] === '\\') continue;
    LONG_INTEGER.lastIndex = at + 2;
    const integer = LONG_INTEGER.exec(text)?.[1];
    if (integer === undefined) continue;
    exact += `${text.slice(copied, at + 2)}"${integer}"`;
    copied = LONG_INTEGER.lastIndex;
  }
  return JSON.parse(exact + text.slice(copied));
}
