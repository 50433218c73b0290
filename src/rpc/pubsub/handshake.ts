import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from '../../http/server.ts';
import type { HostVerdict } from '../../http/host-guard.ts';
import { FOREIGN_HOST, NULL_ORIGIN, type HttpRefusal } from '../http/refusals.ts';
import { requestToken } from '../http/request-token.ts';

/** Judges the host of a request. Its verdict on origins is ignored: Solana nodes are open to all. */
export type HostCheck = (request: IncomingMessage) => HostVerdict;

/** The server is full or closing. */
export const NO_ROOM: HttpRefusal = { status: 503, text: 'no more connections\n' };

/** The token is invalid. */
const BAD_TOKEN: HttpRefusal = { status: 401, text: 'the token is no good\n' };

/** Whether a token is valid. */
export type TokenCheck = (token: string) => boolean;

/** Why a handshake is refused, by the rules for HTTP requests; undefined if it is accepted. */
export function findRefusal(
  request: IncomingMessage,
  { guard, isTokenGood }: { readonly guard?: HostCheck; readonly isTokenGood?: TokenCheck },
): HttpRefusal | undefined {
  if (guard?.(request) === 'foreign-host') return FOREIGN_HOST;
  if (request.headers.origin === 'null') return NULL_ORIGIN;
  const token = requestToken(request);
  return token === null || isTokenGood === undefined || isTokenGood(token) ? undefined : BAD_TOKEN;
}

/** Answers plain HTTP requests on a WebSocket port (RFC 9110 section 15.5.22). */
export const refusePlainHttp: RequestHandler = (request, response) => {
  const text = 'this port takes WebSocket connections\n';
  request.resume();
  response.writeHead(426, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': text.length,
    upgrade: 'websocket',
    connection: 'upgrade, close',
  });
  response.end(text);
};
