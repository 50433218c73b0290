import { nestsDeeperThan } from './json-text.ts';

/** Deepest nesting of external JSON, the limit of serde_json, which ledgers use. */
export const NESTING_MAX = 127;

/**
 * Parses an external JSON text. Returns undefined if it is not JSON or nests deeper than {@link NESTING_MAX}.
 * The parser's error is dropped because it quotes the text, which may be secret.
 */
export function tryParseJson(text: string): unknown {
  try {
    return nestsDeeperThan(text, NESTING_MAX) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Integers with fewer digits are always exact in a double. */
const LONG_INTEGER = /\s*(-?\d{16,})(?=\s*[,}])/y;

/**
 * Parses JSON without loss of digits: members that are integers of 16 digits or more become strings. A double
 * would round the u64 values of ledgers (lamports, `rentEpoch` 18446744073709551615).
 *
 * @throws {SyntaxError} if `text` is not JSON, or nests deeper than {@link NESTING_MAX}.
 */
export function parseExact(text: string): unknown {
  if (nestsDeeperThan(text, NESTING_MAX)) throw new SyntaxError(`nested deeper than ${NESTING_MAX} levels`);
  let exact = '';
  let copied = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 1)) {
    // After a backslash the quotation mark is inside a string.
    if (text[at - 1] === '\\') continue;
    LONG_INTEGER.lastIndex = at + 2;
    const integer = LONG_INTEGER.exec(text)?.[1];
    if (integer === undefined) continue;
    exact += `${text.slice(copied, at + 2)}"${integer}"`;
    copied = LONG_INTEGER.lastIndex;
  }
  return JSON.parse(exact + text.slice(copied));
}

/**
 * Reads a JSON array of bytes, the format of `solana-keygen`'s key files. Returns null for any other text.
 */
export function readByteArray(text: string): Uint8Array | null {
  const value = tryParseJson(text);
  return Array.isArray(value) && value.every(isByte) ? Uint8Array.from(value) : null;
}

const isByte = (item: unknown): item is number =>
  Number.isInteger(item) && Number(item) >= 0 && Number(item) <= 255;
