import { basicCredentialsOf } from '../chain/upstream/basic-credentials.ts';

/** Shorter parts of a URL occur in any text. */
const KEY_LENGTH_MIN = 8;
/** From this length on a part without a digit is no word of a path any more. */
const LONG_LENGTH_MIN = 20;

/**
 * What may be a key in URLs: a user, a password, both of them as they are sent (basic authentication), or a
 * part of path or query that is long, or not so short and has a digit. In JSON a slash may be written with a
 * backslash before it.
 */
export class UrlKeys {
  readonly #keys: readonly string[];

  constructor(urls: readonly URL[]) {
    const written = urls.flatMap(keysOf).flatMap((key) => [key, key.replaceAll('/', '\\/')]);
    this.#keys = [...new Set(written.map((key) => Buffer.from(key).toString('latin1')))];
  }

  /** The length of the longest one, at least 1. */
  get longest(): number {
    return Math.max(1, ...this.#keys.map(({ length }) => length));
  }

  /** Whether a text repeats one of them; keys beyond ASCII only if it has one character per byte. */
  areIn(text: string): boolean {
    return this.#keys.some((key) => text.includes(key));
  }
}

function keysOf(url: URL): string[] {
  const { username, password, pathname, searchParams, search } = url;
  const parts = [...pathname.split('/'), ...search.slice(1).split(/[&=]/), ...searchParams.values()];
  const keys = parts.filter(isKeyLike);
  if (password !== '') keys.push(password);
  if (username !== '' && (password === '' || isKeyLike(username))) keys.push(username);
  const credentials = basicCredentialsOf(url);
  // Without what only fills them up, which some leave out.
  const sent = credentials === null ? [] : [credentials.replace(/=+$/, '')];
  return [...keys, ...keys.map(decodeLeniently), ...sent];
}

function isKeyLike(part: string): boolean {
  return part.length >= LONG_LENGTH_MIN || (part.length >= KEY_LENGTH_MIN && /\d/.test(part));
}

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
