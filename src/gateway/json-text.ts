const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/** The text of every item of an array, as it stands there. `text` must be JSON and an array. */
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
 * The text of a member's value, as it stands there; undefined when there is none of that name. `text` must be
 * JSON and an object. Like `JSON.parse` it takes the last of several.
 */
export function findMember(text: string, name: string): string | undefined {
  const quoted = `"${name}"`;
  let found: string | undefined;
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (!isClosing(text.charCodeAt(at))) {
    const nameEnd = endOfValue(text, at);
    const isWanted = nameEnd - at === quoted.length && text.startsWith(quoted, at);
    const start = skipSeparator(text, nameEnd, COLON);
    const end = endOfValue(text, start);
    if (isWanted) found = text.slice(start, end);
    at = skipSeparator(text, end, COMMA);
  }
  return found;
}

/** Where the value that starts at `start` is over. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isOpening(code)) {
      depth += 1;
      at += 1;
    } else if (isClosing(code)) {
      depth -= 1;
      at += 1;
    } else at = depth > 0 ? at + 1 : endOfWord(text, at);
  } while (depth > 0 && at < text.length);
  return at;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at + 1;
}

/** Numbers, `true`, `false` and `null`. */
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

/** `[` and `{`. */
function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x7b;
}

/** `]` and `}`, and NaN, the code past the end, so that no search goes on there. */
function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d || Number.isNaN(code);
}
