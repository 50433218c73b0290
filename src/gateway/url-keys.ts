import { basicCredentialsOf } from '../chain/upstream/basic-credentials.ts';

/** Shorter parts of a URL occur in any text. */
const KEY_LENGTH_MIN = 8;
/** From this length on a part without a digit is no word of a path any more. */
const LONG_LENGTH_MIN = 20;

/**
 * Tells whether a text repeats something of `urls` that may be a key: a user, a password, both of them as
 * they are sent (basic authentication), or a part of path or query that is long, or not so short and has a
 * digit. In JSON a slash may be written with a backslash before it.
 */
export function createKeyDetector(urls: readonly URL[]): (text: string) => boolean {
  const keys = [...new Set(urls.flatMap(keysOf).flatMap((key) => [key, key.replaceAll('/', '\\/')]))];
  return (text) => keys.some((key) => text.includes(key));
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
