import { type ClientFinder, findPeer } from '../../http/client-address.ts';
import type { RequestHandler } from '../../http/server.ts';
import { refuseUpgrade, type UpgradeHandler } from '../../http/upgrade.ts';
import { writeFailure } from '../envelope.ts';
import { tooManyRequests } from '../errors.ts';
import { HttpExchange, JSON_TYPE } from './http-exchange.ts';

/** Counts the requests of each client. */
interface CallLimiter {
  /** Counts one request of `client`. `headers` report the client's limit as alternating names and values. */
  take(client: string): {
    readonly isAllowed: boolean;
    /** Seconds until the client can retry; 0 if the request is allowed. */
    readonly retryAfterSeconds: number;
    readonly headers: readonly string[];
  };
}

/**
 * Answers 429 to clients over their limit and passes all other requests to `handler`. Without a limiter, it
 * passes all requests. A batch is one request. Preflights and `GET /health` are not counted.
 */
export function limitRequests(
  handler: RequestHandler,
  limiter: CallLimiter | undefined,
  findClient: ClientFinder = findPeer,
): RequestHandler {
  if (limiter === undefined) return handler;
  return (request, response) => {
    const isCounted =
      request.method !== 'OPTIONS' && !(request.method === 'GET' && request.url === '/health');
    const verdict = isCounted ? limiter.take(findClient(request)) : undefined;
    if (verdict === undefined || verdict.isAllowed) return handler(request, response);
    const headers = ['retry-after', String(verdict.retryAfterSeconds), ...verdict.headers];
    const text = `${writeFailure(tooManyRequests(verdict.retryAfterSeconds), null)}\n`;
    return new HttpExchange(request, response).send(429, JSON_TYPE, text, headers);
  };
}

/** Limits WebSocket handshakes like {@link limitRequests}. */
export function limitUpgrades(
  handler: UpgradeHandler,
  limiter: CallLimiter | undefined,
  findClient: ClientFinder = findPeer,
): UpgradeHandler {
  if (limiter === undefined) return handler;
  return (request, socket, head) => {
    const { isAllowed, retryAfterSeconds } = limiter.take(findClient(request));
    if (isAllowed) return handler(request, socket, head);
    const retryAfter = `retry-after: ${retryAfterSeconds}`;
    return refuseUpgrade(socket, 429, 'too many requests from this address\n', [retryAfter]);
  };
}
