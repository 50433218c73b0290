import type { IncomingMessage } from 'node:http';

/**
 * The token a request carries: in its header, which must be exactly `Authorization: Bearer <token>`, or else, as
 * MagicBlock's clients send it and browsers must for a WebSocket, as `?token=` in the URL. Null when it carries none.
 */
export function requestToken({ headers, url = '' }: IncomingMessage): string | null {
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const queryAt = url.indexOf('?');
  const token = queryAt < 0 ? null : new URLSearchParams(url.slice(queryAt)).get('token');
  return token === '' ? null : token;
}

const BEARER = /^Bearer (\S+)$/;
