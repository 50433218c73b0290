import type { IncomingMessage } from 'node:http';

/**
 * The token a request carries: in its header `Authorization: Bearer <token>`, or else, as MagicBlock's clients send it
 * and browsers must for a WebSocket, as `?token=` in the URL. Null when it carries none. A header that begins like that
 * and goes on otherwise is meant to carry one: its token is empty, which is no good anywhere. MagicBlock's SDK puts the
 * path of getDelegationStatus behind the whole URL, token and all: a token in the URL ends at a slash.
 */
export function requestToken({ headers, url = '' }: IncomingMessage): string | null {
  const bearer = BEARER.exec(headers.authorization ?? '');
  if (bearer !== null) return bearer[1] ?? '';
  const queryAt = url.indexOf('?');
  const token = queryAt < 0 ? null : new URLSearchParams(url.slice(queryAt)).get('token');
  return token?.split('/', 1)[0] || null;
}

/** The scheme, whatever its case, spaces, and the token (RFC 9110 section 11.4, RFC 6750 section 2.1); or what is not. */
const BEARER = /^bearer(?: +(\S+) *$|)/i;
