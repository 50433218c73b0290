/**
 * The URL at which callers reach a rollup: the one the operator sets, or else the first one the service uses,
 * unless it could contain a key (user, password, path, query or fragment). Null if there is none to show.
 */
export function publicUrlOf(named: string | null, urls: readonly URL[]): string | null {
  if (named !== null) return named;
  const [url] = urls;
  if (url === undefined || url.href !== `${url.origin}/`) return null;
  return url.origin;
}
