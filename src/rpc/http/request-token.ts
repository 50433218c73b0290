import type { IncomingMessage } from 'node:http';
import { readBearerToken } from '../../http/bearer-token.ts';

/**
 * The token a request carries: in its header `Authorization: Bearer <token>`, or else, as MagicBlock's
 * clients send it and browsers must for a WebSocket, as `?token=` in the URL. Null when it carries none.
 * MagicBlock's SDK puts the path of getDelegationStatus behind the whole URL, token and all: a token in the
 * URL ends at a slash.
 */
export function requestToken({ headers, url = '' }: IncomingMessage): string | null {
  const bearer = readBearerToken(headers.authorization);
  if (bearer !== undefined) return bearer;
  const queryAt = url.indexOf('?');
  const token = queryAt < 0 ? null : new URLSearchParams(url.slice(queryAt)).get('token');
  return token?.split('/', 1)[0] || null;
}
