import type { IncomingMessage } from 'node:http';
import { readBody } from '../../http/body.ts';
import type { HostVerdict } from '../../http/host-guard.ts';
import type { RequestHandler } from '../../http/server.ts';
import { tryParseJson } from '../../json/parse-json.ts';
import { type Address, isAddress } from '../../solana/address.ts';
import {
  BODY_TOO_LARGE,
  FOREIGN_HOST,
  HttpExchange,
  JSON_TYPE,
  NULL_ORIGIN,
  requestToken,
} from './http-exchange.ts';

/** Maximum size of a login request, in bytes. It contains three short texts. */
const LOGIN_BYTES_MAX = 4_096;

const METHODS = 'GET, OPTIONS, POST';

/** The login service behind the routes. */
export interface LoginRoutes {
  /** Returns the text that the wallet must sign. */
  challenge(owner: Address): string;
  /**
   * Issues a token with its expiry (Unix ms) to a wallet that has signed its challenge, or returns why the
   * login is rejected. The signature is ed25519 over the UTF-8 bytes, in base58.
   */
  login(answer: {
    readonly owner: Address;
    readonly challenge: string;
    readonly signature: string;
  }): { readonly token: string; readonly expiresAt: number } | { readonly refusal: string };
  /** Returns the owner of a token; undefined for an invalid one. */
  readerOf(token: string): Address | undefined;
  /** Returns the wallets that may read an account; null if anyone may. */
  readersOf(account: Address): readonly Address[] | null;
}

interface LoginHandlerOptions {
  readonly logins: LoginRoutes;
  /** Checks the host of a request, as for RPC. Its verdict on the origin is ignored. */
  readonly guard?: (request: IncomingMessage) => HostVerdict;
}

/** The handler of a path and the only HTTP method that the path accepts. */
interface Route {
  readonly method: 'GET' | 'POST';
  serve(exchange: HttpExchange, logins: LoginRoutes, query: URLSearchParams): void;
}

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/auth/challenge', { method: 'GET', serve: serveChallenge }],
  ['/auth/login', { method: 'POST', serve: serveLogin }],
  ['/permission', { method: 'GET', serve: servePermission }],
]);

/**
 * Answers `GET /auth/challenge?pubkey=`, `POST /auth/login` and `GET /permission?pubkey=` like MagicBlock's
 * query filtering service, and passes all other requests to `handler`. Errors are `{"error": text}`.
 */
export function withLogin(handler: RequestHandler, { logins, guard }: LoginHandlerOptions): RequestHandler {
  return (request, response) => {
    const { url = '' } = request;
    const queryAt = url.indexOf('?');
    const route = ROUTES.get(queryAt < 0 ? url : url.slice(0, queryAt));
    if (route === undefined) return handler(request, response);
    const exchange = new HttpExchange(request, response, METHODS);
    if (guard?.(request) === 'foreign-host') return exchange.refuse(FOREIGN_HOST);
    if (request.headers.origin === 'null') return exchange.refuse(NULL_ORIGIN);
    if (request.method === 'OPTIONS') return exchange.send(200, JSON_TYPE, '', ['allow', METHODS]);
    if (request.method !== route.method) return refuse(exchange, 405, `use ${route.method}`);
    return route.serve(exchange, logins, new URLSearchParams(queryAt < 0 ? '' : url.slice(queryAt)));
  };
}

function serveChallenge(exchange: HttpExchange, logins: LoginRoutes, query: URLSearchParams): void {
  const pubkey = query.get('pubkey') ?? '';
  if (isAddress(pubkey)) answer(exchange, 200, { challenge: logins.challenge(pubkey) });
  else refuse(exchange, 400, 'pubkey must be the base58 address of a wallet');
}

function serveLogin(exchange: HttpExchange, logins: LoginRoutes): void {
  readBody(exchange.request, LOGIN_BYTES_MAX, (body, fault) => {
    if (fault === 'too-large') return exchange.refuseRest(BODY_TOO_LARGE);
    if (fault === 'encoded')
      return refuse(exchange, 415, 'send the body uncompressed, without Content-Encoding');
    if (body === undefined) return;
    const login = readLogin(body.toString());
    if (login === undefined) {
      return refuse(
        exchange,
        400,
        'the body must be a JSON object with the strings pubkey, challenge and signature',
      );
    }
    const { pubkey: owner, challenge, signature } = login;
    if (!isAddress(owner)) return refuse(exchange, 400, 'pubkey must be the base58 address of a wallet');
    const outcome = logins.login({ owner, challenge, signature });
    if ('refusal' in outcome) return refuse(exchange, 401, outcome.refusal);
    return answer(exchange, 200, { ...outcome });
  });
}

/** Lists the readers of an account. They are public on base, but an invalid token is still rejected. */
function servePermission(exchange: HttpExchange, logins: LoginRoutes, query: URLSearchParams): void {
  const token = requestToken(exchange.request);
  if (token !== null && logins.readerOf(token) === undefined) return exchange.refuseToken();
  const pubkey = query.get('pubkey') ?? '';
  if (!isAddress(pubkey)) return refuse(exchange, 400, 'pubkey must be the base58 address of an account');
  const authorizedUsers = logins.readersOf(pubkey);
  return answer(exchange, 200, authorizedUsers === null ? {} : { authorizedUsers });
}

interface LoginBody {
  readonly pubkey: string;
  readonly challenge: string;
  readonly signature: string;
}

function readLogin(body: string): LoginBody | undefined {
  const { pubkey, challenge, signature } = Object(tryParseJson(body)) as Partial<
    Record<keyof LoginBody, unknown>
  >;
  return typeof pubkey === 'string' && typeof challenge === 'string' && typeof signature === 'string'
    ? { pubkey, challenge, signature }
    : undefined;
}

function refuse(exchange: HttpExchange, status: number, error: string): void {
  answer(exchange, status, { error });
}

/** Sends an answer that must not be cached, because it may contain a token or a challenge. */
function answer(exchange: HttpExchange, status: number, value: object): void {
  exchange.send(status, JSON_TYPE, `${JSON.stringify(value)}\n`, ['cache-control', 'no-store']);
}
