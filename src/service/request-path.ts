/**
 * The path of a request target: without the query, and without the origin if a client sends the absolute form
 * (RFC 9112 section 3.2.2). Percent-encoding is not decoded, so only the plain spelling of a path reaches its
 * route.
 */
export function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
  const query = path.indexOf('?');
  return query < 0 ? path : path.slice(0, query);
}
