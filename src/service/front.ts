import type { IncomingMessage } from 'node:http';
import { type HostVerdict, relaxForProbe } from '../http/host-guard.ts';
import type { RequestHandler } from '../http/server.ts';
import type { Authorizer } from './auth/authorize.ts';
import { writeProblem } from './problem.ts';
import type { RateVerdict, RequestLimiter } from './rate-limiter.ts';
import {
  FOREIGN,
  methodNotAllowed,
  NOT_FOUND,
  POST_TO_ROOT,
  rateLimited,
  type Refusal,
  type RefusalWriter,
} from './refusal.ts';
import type { Reply } from './reply.ts';
import { RequestContext, type RequestSurroundings } from './request-context.ts';
import { pathOf } from './request-head.ts';

interface FrontOptions {
  readonly hostGuard: (request: IncomingMessage) => HostVerdict;
  readonly surroundings: RequestSurroundings;
  /** Limits requests to API paths; omitted if there is no limit. */
  readonly rateLimiter?: RequestLimiter;
  /** Authenticates the callers of API paths; omitted if anyone may call them. */
  readonly authorizer?: Authorizer;
}

/**
 * Creates the handler that runs the common checks and then the route: host and origin, path, credentials,
 * rate limit, method, in that order. It catches exceptions of routes.
 */
export function createFront(routes: readonly Route[], options: FrontOptions): RequestHandler {
  const { hostGuard, rateLimiter, authorizer } = options;
  const surroundings = { ...options.surroundings, authorizer };
  const table = createRouteTable(routes);
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    const { route, variables } = table.find(path);
    const context = new RequestContext(request, response, surroundings, route?.writeRefusal ?? writeProblem);
    context.variables = variables;
    context.attempt(() => {
      const judged = hostGuard(request);
      const verdict = route?.isProbe === true ? relaxForProbe(request, judged) : judged;
      if (verdict !== 'ok') return context.refuse(FOREIGN[verdict]);
      if (route === undefined) return context.refuse(NOT_FOUND);
      if (!route.isApi) return dispatch(route, context);
      if (answerPreflight(route, context)) return undefined;
      if (authorizer === undefined || route.checksCallers) return admit(route, context, rateLimiter);
      return context.authenticate().then((refusal) => admit(route, context, rateLimiter, refusal));
    });
  };
}

/** Adds the CORS headers of an API path. Returns whether the request was a preflight, which it answers. */
function answerPreflight(route: RouteEntry, context: RequestContext): boolean {
  const { request } = context;
  const { origin } = request.headers;
  if (origin !== undefined) context.addHeaders(corsHeaders(origin));
  if (!isPreflight(request)) return false;
  context.answer(preflightReply(route.allow));
  return true;
}

/**
 * Passes a request to its route unless its client exceeds the rate limit.
 *
 * @param refusal the refusal of invalid credentials, which counts against the limit of the address.
 */
function admit(
  route: RouteEntry,
  context: RequestContext,
  rateLimiter: RequestLimiter | undefined,
  refusal?: Refusal,
): void | Promise<void> {
  const proceed = (): void | Promise<void> =>
    refusal === undefined ? dispatch(route, context) : context.refuse(refusal);
  if (rateLimiter === undefined) return proceed();
  const obey = ({ isAllowed, retryAfterSeconds, headers }: RateVerdict): void | Promise<void> => {
    context.addHeaders(headers);
    return isAllowed ? proceed() : context.refuse(rateLimited(retryAfterSeconds));
  };
  const verdict = rateLimiter.take(context.client, context.caller?.limit);
  return verdict instanceof Promise ? verdict.then(obey) : obey(verdict);
}

function dispatch(route: RouteEntry, context: RequestContext): void | Promise<void> {
  const handler = route.handlers.get(context.request.method ?? '');
  if (handler !== undefined) return handler(context);
  const isPostToRoot = context.path === '/' && context.request.method === 'POST';
  return context.refuse(isPostToRoot ? POST_TO_ROOT : methodNotAllowed(route.allow));
}

/** Handles a request. It responds through `context.answer`, possibly later. */
export type RouteHandler = (context: RequestContext) => void | Promise<void>;

/** The handlers of one path. */
export interface Route {
  /** The path. A segment `{name}` matches any text, which `RequestContext.variables` then contains. */
  readonly path: string;
  readonly alias?: string;
  /** Handlers by HTTP method. A GET handler also serves HEAD, for which node:http omits the body. */
  readonly methods: Readonly<Partial<Record<'GET' | 'POST', RouteHandler>>>;
  /** Whether the path is part of the API, which allows CORS from accepted origins and has a rate limit. */
  readonly isApi?: boolean;
  /** Whether the route itself authenticates its callers, instead of the authorizer. */
  readonly checksCallers?: boolean;
  /** Whether the path is a probe, which accepts any host (`relaxForProbe`). */
  readonly isProbe?: boolean;
  /** Writes refusals at this path; default problem details. */
  readonly writeRefusal?: RefusalWriter;
}

interface RouteEntry {
  readonly handlers: ReadonlyMap<string, RouteHandler>;
  /** The value of the `Allow` header. */
  readonly allow: string;
  readonly isApi: boolean;
  readonly checksCallers: boolean;
  readonly isProbe: boolean;
  readonly writeRefusal: RefusalWriter | undefined;
}

/** The route of a path, and the values of its variables. */
interface FoundRoute {
  readonly route: RouteEntry | undefined;
  readonly variables: readonly string[];
}

interface RouteTable {
  find(path: string): FoundRoute;
}

/**
 * Prepares routes for look-ups by path and method.
 *
 * @throws Error if two routes have the same path.
 */
export function createRouteTable(routes: readonly Route[]): RouteTable {
  const table = new Map<string, RouteEntry>();
  for (const { path, alias, methods, writeRefusal, ...flags } of routes) {
    const { isApi = false, isProbe = false, checksCallers = false } = flags;
    const handlers = new Map<string, RouteHandler>();
    if (methods.GET !== undefined) handlers.set('GET', methods.GET).set('HEAD', methods.GET);
    if (methods.POST !== undefined) handlers.set('POST', methods.POST);
    const allow = [...handlers.keys()].join(', ');
    const entry = { handlers, allow, isApi, isProbe, checksCallers, writeRefusal };
    for (const spelling of alias === undefined ? [path] : [path, alias]) {
      if (table.has(spelling)) throw new Error(`two routes claim ${spelling}`);
      table.set(spelling, entry);
    }
  }
  const patterns = [...table]
    .filter(([path]) => path.includes('{'))
    .map(([path, route]) => ({ segments: path.split('/'), route }));
  return {
    find(path) {
      const exact = table.get(path);
      if (exact !== undefined && !path.includes('{')) return { route: exact, variables: [] };
      const texts = path.split('/');
      const found = patterns.find(({ segments }) => matches(segments, texts));
      if (found === undefined) return { route: undefined, variables: [] };
      return { route: found.route, variables: texts.filter((_, at) => isVariable(found.segments[at])) };
    },
  };
}

const isVariable = (segment: string | undefined): boolean => segment?.startsWith('{') === true;

/** Whether a path matches a pattern. A variable is never empty. */
const matches = (segments: readonly string[], texts: readonly string[]): boolean =>
  segments.length === texts.length &&
  segments.every((segment, at) => (isVariable(segment) ? texts[at] !== '' : segment === texts[at]));

/** Time for which a browser may cache the response to a preflight, in seconds. */
const MAX_AGE_SECONDS = 600;

/** Request headers that the API reads, in addition to those that CORS always allows. */
const ALLOWED_HEADERS = [
  'Authorization',
  'Rollup-Authorization',
  'Content-Type',
  'X-Merchant-Id',
  'Idempotency-Key',
  'X-Request-Id',
  'Ledger-Slot-Floor',
  'Payment-Signature',
  'Payment-Authorization',
  'Accept-Payment',
  // @x402/fetch also sends this response header in requests.
  'Access-Control-Expose-Headers',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'traceparent',
  'tracestate',
].join(', ');

/** Response headers that pages may read, in addition to those that CORS always exposes. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'Idempotent-Replayed',
  'Ledger-Slot-Floor',
  'Retry-After',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'WWW-Authenticate',
  'Payment-Required',
  'Payment-Response',
  'Payment-Receipt',
].join(', ');

/** Whether the request is a CORS preflight (Fetch standard, CORS-preflight request). */
function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/** Returns the headers (name, value, ...) that let a page of an accepted `origin` read the response. */
function corsHeaders(origin: string): readonly string[] {
  return [
    'access-control-allow-origin',
    origin,
    'access-control-expose-headers',
    EXPOSED_HEADERS,
    'vary',
    'Origin',
  ];
}

function preflightReply(allow: string): Reply {
  return {
    status: 204,
    headers: [
      'access-control-allow-methods',
      allow,
      'access-control-allow-headers',
      ALLOWED_HEADERS,
      'access-control-max-age',
      String(MAX_AGE_SECONDS),
    ],
  };
}
