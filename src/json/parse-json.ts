const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Returns the source text of each item of an array. `text` must be valid JSON and an array. */
export function splitItems(text: string): string[] {
  const items: string[] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (!isClosing(text.charCodeAt(at))) {
    const end = endOfValue(text, at);
    items.push(text.slice(at, end));
    at = skipSeparator(text, end, COMMA);
  }
  return items;
}

/**
 * Returns the source text of a member's value; undefined if there is no such member. `text` must be valid
 * JSON and an object. If a member is repeated, the last one counts, as in `JSON.parse`.
 */
export function findMember(text: string, name: string): string | undefined {
  const quoted = `"${name}"`;
  let found: string | undefined;
  for (const member of membersOf(text)) if (member.name === quoted) found = member.value;
  return found;
}

/**
 * Whether a JSON object repeats a member at its top level. Such a text is ambiguous: `JSON.parse` uses the
 * last one, other parsers the first (RFC 8259, section 4).
 *
 * @param text valid JSON.
 */
export function hasRepeatedMember(text: string): boolean {
  if (text.charCodeAt(skipSpace(text, 0)) !== OPENING_BRACE) return false;
  const names = new Set<string>();
  for (const member of membersOf(text)) {
    const name = JSON.parse(member.name) as string;
    if (names.has(name)) return true;
    names.add(name);
  }
  return false;
}

/** Whether `text` nests too deeply. `JSON.parse` takes seconds for megabytes of brackets. */
function nestsDeeperThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else {
      at += 1;
      // `[` and `{` differ only in bit 0x20, and so do `]` and `}`.
      if ((code | 0x20) === OPENING_BRACE && ++depth > max) return true;
      else if ((code | 0x20) === CLOSING_BRACE) depth -= 1;
    }
  }
  return false;
}

/** Yields each member of a JSON object: its quoted name and the source text of its value. */
function* membersOf(text: string): Generator<{ readonly name: string; readonly value: string }> {
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (!isClosing(text.charCodeAt(at))) {
    const nameEnd = endOfString(text, at);
    const start = skipSeparator(text, nameEnd, COLON);
    const end = endOfValue(text, start);
    yield { name: text.slice(at, nameEnd), value: text.slice(start, end) };
    at = skipSeparator(text, end, COMMA);
  }
}

/** Returns the index after the value that begins at `start`. */
function endOfValue(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return endOfString(text, start);
  return isOpening(code) ? endOfBrackets(text, start) : endOfWord(text, start);
}

/** Returns the index after the array or object at `start`. A call per character would be too slow. */
function endOfBrackets(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else {
      at += 1;
      // `[` and `{` differ only in bit 0x20, and so do `]` and `}`.
      if ((code | 0x20) === OPENING_BRACE) depth += 1;
      else if ((code | 0x20) === CLOSING_BRACE && --depth === 0) return at;
    }
  }
  return text.length;
}

/** Returns the index after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

/** Returns the index after the number, `true`, `false` or `null` at `start`. */
function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && /[-+.\w]/.test(text.charAt(at))) at += 1;
  return at;
}

function skipSeparator(text: string, from: number, separator: number): number {
  const at = skipSpace(text, from);
  return text.charCodeAt(at) === separator ? skipSpace(text, at + 1) : at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \n\r\t'.includes(text.charAt(at))) at += 1;
  return at;
}

function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x7b;
}

/** Whether a code is `]` or `}`. It is also true for NaN, the code past the end, so loops stop there. */
function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d || Number.isNaN(code);
}

/** Deepest nesting of external JSON: the limit of serde_json, which Solana nodes use. */
const NESTING_MAX = 127;

/**
 * Parses an external JSON text. Returns undefined if it is not JSON or nests deeper than {@link NESTING_MAX}.
 * Drops the parser's error, because it quotes the text, which may be secret.
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
 * Parses JSON without losing digits: members that are integers of 16 or more digits become strings. A double
 * would round u64 values such as lamports or the `rentEpoch` 18446744073709551615.
 *
 * @throws {SyntaxError} if `text` is not JSON, or nests deeper than {@link NESTING_MAX}.
 */
export function parseExact(text: string): unknown {
  if (nestsDeeperThan(text, NESTING_MAX)) throw new SyntaxError(`nested deeper than ${NESTING_MAX} levels`);
  let exact = '';
  let copied = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 1)) {
    // An escaped quotation mark is inside a string.
    if (text[at - 1] === '\\') continue;
    LONG_INTEGER.lastIndex = at + 2;
    const integer = LONG_INTEGER.exec(text)?.[1];
    if (integer === undefined) continue;
    exact += `${text.slice(copied, at + 2)}"${integer}"`;
    copied = LONG_INTEGER.lastIndex;
  }
  return JSON.parse(exact + text.slice(copied));
}

/** Reads a JSON array of bytes, the format of `solana-keygen`'s key files. Returns null for other texts. */
export function readByteArray(text: string): Uint8Array | null {
  const value = tryParseJson(text);
  return Array.isArray(value) && value.every(isByte) ? Uint8Array.from(value) : null;
}

const isByte = (item: unknown): item is number =>
  Number.isInteger(item) && Number(item) >= 0 && Number(item) <= 255;
