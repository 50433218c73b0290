import type { IncomingMessage } from 'node:http';
import { readBearerToken } from '../../http/bearer-token.ts';

/**
 * The token of a request, from `Authorization: Bearer <token>` or else from `?token=` in the URL, where
 * MagicBlock's clients put it and browsers must for a WebSocket. Null if there is none. MagicBlock's SDK
 * appends the path of getDelegationStatus to the whole URL, token included, so a token in the URL ends at a
 * slash.
 */
export function requestToken({ headers, url = '' }: IncomingMessage): string | null {
  const bearer = readBearerToken(headers.authorization);
  if (bearer !== undefined) return bearer;
  const queryAt = url.indexOf('?');
  const token = queryAt < 0 ? null : new URLSearchParams(url.slice(queryAt)).get('token');
  return token?.split('/', 1)[0] || null;
}
