import type { IncomingMessage } from 'node:http';
import { readBody } from '../../http/body.ts';
import type { HostVerdict } from '../../http/host-guard.ts';
import type { RequestHandler } from '../../http/server.ts';
import { describeLoginFault } from '../../rollup/auth/describe-login-fault.ts';
import type { LoginDesk } from '../../rollup/auth/login-desk.ts';
import { isAddress } from '../../solana/address.ts';
import { Exchange, JSON_TYPE } from './exchange.ts';
import { BODY_TOO_LARGE, FOREIGN_HOST, NULL_ORIGIN } from './refusals.ts';
import { requestToken } from './request-token.ts';

/** Most bytes of a login: three short texts. */
const LOGIN_BYTES_MAX = 4_096;

const METHODS = 'GET, OPTIONS, POST';

/** What the login service of a rollup is made of. */
export interface LoginHandlerOptions {
  readonly desk: LoginDesk;
  /** Judges the host a request is addressed to, as for the RPC face: its verdict on origins does not count. */
  readonly guard?: (request: IncomingMessage) => HostVerdict;
}

/** What a path answers, with one method. */
interface Route {
  readonly method: 'GET' | 'POST';
  serve(exchange: Exchange, desk: LoginDesk, query: URLSearchParams): void;
}

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/auth/challenge', { method: 'GET', serve: serveChallenge }],
  ['/auth/login', { method: 'POST', serve: serveLogin }],
  ['/permission', { method: 'GET', serve: servePermission }],
]);

/**
 * Answers `GET /auth/challenge?pubkey=`, `POST /auth/login` and `GET /permission?pubkey=` as MagicBlock's query filtering
 * service does, before `handler`, which gets everything else. Refusals are `{"error": text}`.
 */
export function withLogin(handler: RequestHandler, { desk, guard }: LoginHandlerOptions): RequestHandler {
  return (request, response) => {
    const { url = '' } = request;
    const queryAt = url.indexOf('?');
    const route = ROUTES.get(queryAt < 0 ? url : url.slice(0, queryAt));
    if (route === undefined) return handler(request, response);
    const exchange = new Exchange(request, response, METHODS);
    if (guard?.(request) === 'foreign-host') return exchange.refuse(FOREIGN_HOST);
    if (request.headers.origin === 'null') return exchange.refuse(NULL_ORIGIN);
    if (request.method === 'OPTIONS') return exchange.send(200, JSON_TYPE, '', ['allow', METHODS]);
    if (request.method !== route.method) return refuse(exchange, 405, `use ${route.method}`);
    return route.serve(exchange, desk, new URLSearchParams(queryAt < 0 ? '' : url.slice(queryAt)));
  };
}

function serveChallenge(exchange: Exchange, desk: LoginDesk, query: URLSearchParams): void {
  const pubkey = query.get('pubkey') ?? '';
  if (isAddress(pubkey)) answer(exchange, 200, { challenge: desk.challenge(pubkey) });
  else refuse(exchange, 400, 'pubkey must be the base58 address of a wallet');
}

function serveLogin(exchange: Exchange, desk: LoginDesk): void {
  readBody(exchange.request, LOGIN_BYTES_MAX, (body, fault) => {
    if (fault === 'too-large') return exchange.refuseRest(BODY_TOO_LARGE);
    if (fault === 'encoded') return refuse(exchange, 415, 'send the body as it is, without Content-Encoding');
    if (body === undefined) return;
    const login = readLogin(body.toString());
    if (login === undefined) {
      return refuse(
        exchange,
        400,
        'the body must be JSON: pubkey, challenge and signature, all of them texts',
      );
    }
    const { pubkey: owner, challenge, signature } = login;
    if (!isAddress(owner)) return refuse(exchange, 400, 'pubkey must be the base58 address of a wallet');
    const outcome = desk.login({ owner, challenge, signature });
    if (typeof outcome !== 'string') return answer(exchange, 200, { ...outcome });
    return refuse(exchange, 401, describeLoginFault(outcome));
  });
}

/** Who may read an account is no secret, as the base ledger shows it; but a token that is no good is told. */
function servePermission(exchange: Exchange, desk: LoginDesk, query: URLSearchParams): void {
  const token = requestToken(exchange.request);
  if (token !== null && desk.readerOf(token) === undefined) return exchange.refuseToken();
  const pubkey = query.get('pubkey') ?? '';
  if (!isAddress(pubkey)) return refuse(exchange, 400, 'pubkey must be the base58 address of an account');
  const authorizedUsers = desk.readersOf(pubkey);
  return answer(exchange, 200, authorizedUsers === null ? {} : { authorizedUsers });
}

interface LoginBody {
  readonly pubkey: string;
  readonly challenge: string;
  readonly signature: string;
}

function readLogin(body: string): LoginBody | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { pubkey, challenge, signature } = Object(value) as Partial<Record<keyof LoginBody, unknown>>;
  return typeof pubkey === 'string' && typeof challenge === 'string' && typeof signature === 'string'
    ? { pubkey, challenge, signature }
    : undefined;
}

function refuse(exchange: Exchange, status: number, error: string): void {
  answer(exchange, status, { error });
}

/** Tokens and challenges are for the one who asked and for now. */
function answer(exchange: Exchange, status: number, value: object): void {
  exchange.send(status, JSON_TYPE, `${JSON.stringify(value)}\n`, ['cache-control', 'no-store']);
}
