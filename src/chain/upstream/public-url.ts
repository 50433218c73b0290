/**
 * Where callers reach a rollup themselves: the URL the operator names for them, else the first one the
 * service uses, unless it could carry a key (user, password, path, query or fragment). Null when there is
 * none to show.
 */
export function publicUrlOf(named: string | null, urls: readonly URL[]): string | null {
  if (named !== null) return named;
  const [url] = urls;
  if (url === undefined || url.href !== `${url.origin}/`) return null;
  return url.origin;
}
