/** Longest upstream text that is quoted, characters. */
const QUOTE_MAX = 300;

/** Shorter parts of a URL occur in ordinary text ("v1", "rpc"). */
const SECRET_LENGTH_MIN = 6;

/**
 * `text` shortened for quoting. Null if it contains a URL or a part of its source URL (host, path, query,
 * user, password), since operators put keys there.
 */
export function quoteSafely(text: string, source: URL): string | null {
  if (text.includes('://')) return null;
  const lowerCase = text.toLowerCase();
  if (partsOf(source).some((part) => lowerCase.includes(part))) return null;
  return text.length > QUOTE_MAX ? `${text.slice(0, QUOTE_MAX)}...` : text;
}

function partsOf(url: URL): string[] {
  const raw = [url.host, url.hostname, url.username, url.password, ...url.pathname.split('/')];
  const parts = [...raw, ...url.searchParams.values(), ...raw.map(decodeLeniently)];
  return parts.filter((part) => part.length >= SECRET_LENGTH_MIN).map((part) => part.toLowerCase());
}

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
