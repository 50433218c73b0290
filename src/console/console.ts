import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HostVerdict } from '../http/host-guard.ts';
import type { RequestHandler } from '../http/server.ts';
import { refuseUpgrade, type UpgradeHandler } from '../http/upgrade.ts';
import type { PageFiles } from '../service/page-files.ts';
import { writeProblem } from '../service/problem.ts';
import type { RateLimiter } from '../service/rate-limiter.ts';
import { FOREIGN, methodNotAllowed, NOT_FOUND, rateLimited } from '../service/refusal.ts';
import { RequestContext, type RequestSurroundings } from '../service/request-context.ts';
import { pathOf, qualityOf } from '../service/request-head.ts';
import type { ApiRoute } from './api-route.ts';
import { serveShell } from './shell.ts';

/** A ledger's JSON-RPC, with the same limits and read permissions as on its own port. */
export interface RpcDoor {
  readonly handler: RequestHandler;
  /** The ledger's WebSocket; null if it has none. */
  readonly upgrade: UpgradeHandler | null;
}

/** The ledgers that the console may call; null if a ledger does not exist. */
export interface RpcDoors {
  readonly base: RpcDoor | null;
  readonly rollup: RpcDoor | null;
}

/** Returns the ledger at a path; null if it does not exist, undefined for other paths. */
function doorAt(doors: RpcDoors, path: string): RpcDoor | null | undefined {
  if (path === '/console/rpc/base') return doors.base;
  if (path === '/console/rpc/rollup') return doors.rollup;
  return path.startsWith('/console/rpc/') ? null : undefined;
}

/** Options of {@link createConsole}. */
export interface ConsoleOptions {
  /** Checks the origin of a request (`createSameOriginGuard`). */
  readonly guard: (request: IncomingMessage) => HostVerdict;
  readonly surroundings: RequestSurroundings;
  /** The page; null if it is not built. */
  readonly files: PageFiles | null;
  readonly doors: RpcDoors;
  readonly api: readonly ApiRoute[];
  /** The limit on calls of the console's API. The ledgers have their own limits. */
  readonly rateLimiter?: Pick<RateLimiter, 'take'> | undefined;
}

/** The console: a page, its API, and the ledgers at the page's own origin. */
export interface Console {
  /** Serves `/`, `/console` and all paths below it. */
  readonly handler: RequestHandler;
  /** Handles WebSocket handshakes at the ledgers' paths, and rejects all others. */
  readonly upgrade: UpgradeHandler;
}

/** Creates the console. Only its own page and programs (which send no `Origin`) may use it. */
export function createConsole(options: ConsoleOptions): Console {
  const { guard, surroundings, files, doors } = options;
  const api = new Map(options.api.map((route) => [route.path, route]));

  const serve = (context: RequestContext, response: ServerResponse): void | Promise<void> => {
    const { request, path } = context;
    const verdict = guard(request);
    if (verdict !== 'ok') return context.refuse(FOREIGN[verdict]);
    const door = doorAt(doors, path);
    if (door === null) return context.refuse(NOT_FOUND);
    if (door !== undefined) return door.handler(request, response);
    if (!path.startsWith('/console/api/')) return serveShell(context, files);
    const route = api.get(path);
    return route === undefined ? context.refuse(NOT_FOUND) : serveApi(route, context, response);
  };

  const serveApi = (
    route: ApiRoute,
    context: RequestContext,
    response: ServerResponse,
  ): void | Promise<void> => {
    context.addHeaders(API_HEADERS);
    const isRead = route.method === 'GET' && context.request.method === 'HEAD';
    if (context.request.method !== route.method && !isRead) {
      return context.refuse(methodNotAllowed(route.method === 'GET' ? 'GET, HEAD' : 'POST'));
    }
    const verdict = options.rateLimiter?.take(context.client);
    if (verdict !== undefined) context.addHeaders(verdict.headers);
    if (verdict?.isAllowed === false) return context.refuse(rateLimited(verdict.retryAfterSeconds));
    return route.serve(context, response);
  };

  return {
    handler(request, response) {
      const context = new RequestContext(request, response, surroundings, writeProblem);
      context.attempt(() => serve(context, response));
    },
    upgrade: (request, socket, head) => upgradeAt(options, request, socket, head),
  };
}

/** Headers that prevent caching and stop browsers from sniffing JSON as HTML. */
const API_HEADERS = [
  'cache-control',
  'no-store',
  'x-content-type-options',
  'nosniff',
  'cross-origin-resource-policy',
  'same-origin',
] as const;

/** Checks the origin of handshakes, because browsers open cross-origin WebSockets without a preflight. */
function upgradeAt(
  { guard, doors }: ConsoleOptions,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const path = pathOf(request.url ?? '');
  if (!isConsolePath(path)) return refuseUpgrade(socket, 404, 'no WebSocket here\n');
  if (guard(request) !== 'ok') return refuseUpgrade(socket, 403, 'this page may not use the console\n');
  const upgrade = doorAt(doors, path)?.upgrade;
  if (upgrade === undefined || upgrade === null) return refuseUpgrade(socket, 404, 'no WebSocket here\n');
  return upgrade(request, socket, head);
}

/** Whether a path belongs to the console. */
export function isConsolePath(path: string): boolean {
  return path === '/console' || path.startsWith('/console/');
}

/** Whether a request is for the console: it has a console path, or requests HTML at `/`. */
function isForConsole({ url = '', method, headers }: IncomingMessage): boolean {
  const path = pathOf(url);
  if (isConsolePath(path)) return true;
  return path === '/' && (method === 'GET' || method === 'HEAD') && prefersHtml(headers.accept);
}

/** Passes requests for the console to `console`, and all others to `service`. */
export function withConsole(service: RequestHandler, console: RequestHandler): RequestHandler {
  return (request, response) =>
    isForConsole(request) ? console(request, response) : service(request, response);
}

/** Whether an `Accept` header prefers HTML. Programs send no such header, or accept anything. */
export function prefersHtml(accept: string | undefined): boolean {
  const html = qualityOf(accept, 'text/html') ?? 0;
  if (html === 0) return false;
  return ['*/*', 'application/json'].every((type) => html >= (qualityOf(accept, type) ?? 0));
}

interface SameOriginOptions {
  /** The address that the tool service is bound to. */
  readonly boundHost: string;
  /** Further accepted host names, without port. */
  readonly allowedHosts: readonly string[];
  /** Public origin behind a proxy; null if there is none. */
  readonly publicOrigin: string | null;
}

/** Host names that always resolve to this machine (RFC 6761 section 6.3). */
const OWN_NAMES: readonly string[] = ['localhost'];

/**
 * Creates a check that requests come from the console's own page or from a program. It is stricter than
 * `createHostGuard`, which accepts pages on any loopback port, because the console shows requests and calls
 * ledgers.
 *
 * `Host` must be a name of this service or an IP address. An attacker's page can point its own name to this
 * machine (DNS rebinding), but not an IP address. `Origin`, which browsers send with everything except plain
 * reads, must match `Host`. `Sec-Fetch-Site` detects plain reads by other sites. Following a link is allowed.
 */
export function createSameOriginGuard(options: SameOriginOptions): (request: IncomingMessage) => HostVerdict {
  const { boundHost, allowedHosts, publicOrigin } = options;
  const published = publicOrigin === null ? [] : [new URL(publicOrigin).hostname];
  const names = new Set([...OWN_NAMES, boundHost, ...allowedHosts, ...published].map(lowerCase));
  return ({ headers }) => {
    const host = lowerCase(headers.host ?? '');
    if (!isKnownHost(host, names)) return 'foreign-host';
    const { origin } = headers;
    if (origin !== undefined)
      return isOriginOf(host, lowerCase(origin), publicOrigin) ? 'ok' : 'foreign-origin';
    return isForeignRead(headers['sec-fetch-site'], headers['sec-fetch-mode']) ? 'foreign-origin' : 'ok';
  };
}

function isKnownHost(host: string, names: ReadonlySet<string>): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(host) ?? [];
  const name = bracketed ?? plain ?? '';
  return isIP(name) !== 0 || names.has(name);
}

/** Accepts both schemes, because the page's scheme is unknown behind a proxy that terminates TLS. */
function isOriginOf(host: string, origin: string, publicOrigin: string | null): boolean {
  return origin === `http://${host}` || origin === `https://${host}` || origin === publicOrigin;
}

function isForeignRead(site: string | string[] | undefined, mode: string | string[] | undefined): boolean {
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return mode !== 'navigate';
}

const lowerCase = (text: string): string => text.toLowerCase();
