import type { IncomingMessage } from 'node:http';
import { type HostVerdict, judgeProbe } from '../http/host-guard.ts';
import type { RequestHandler } from '../http/server.ts';
import { corsHeaders, isPreflight, preflightReply } from './cors.ts';
import { writeProblem } from './problem.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { FOREIGN, methodNotAllowed, NOT_FOUND, POST_TO_ROOT, rateLimited } from './refusal.ts';
import { RequestContext, type RequestSurroundings } from './request-context.ts';
import { pathOf } from './request-head.ts';
import { createRouteTable, type Route, type RouteEntry } from './route-table.ts';

interface FrontOptions {
  /** Checks the host and the origin of a request (`createHostGuard`). */
  readonly hostGuard: (request: IncomingMessage) => HostVerdict;
  readonly surroundings: RequestSurroundings;
  /** Limits requests to API paths; omitted if there is no limit. */
  readonly rateLimiter?: RateLimiter;
}

/**
 * Creates the handler that runs the common checks and then the route: host and origin, path, rate limit,
 * method, in that order. It catches exceptions of routes.
 */
export function createFront(routes: readonly Route[], options: FrontOptions): RequestHandler {
  const { hostGuard, surroundings, rateLimiter } = options;
  const table = createRouteTable(routes);
  return (request, response) => {
    const route = table.get(pathOf(request.url ?? ''));
    const context = new RequestContext(request, response, surroundings, route?.writeRefusal ?? writeProblem);
    context.attempt(() => {
      const judged = hostGuard(request);
      const verdict = route?.isProbe === true ? judgeProbe(request, judged) : judged;
      if (verdict !== 'ok') return context.refuse(FOREIGN[verdict]);
      if (route === undefined) return context.refuse(NOT_FOUND);
      if (route.isApi && !admit(route, context, rateLimiter)) return undefined;
      return dispatch(route, context);
    });
  };
}

/** Returns whether a request to an API path may proceed to its route. Otherwise it has been answered. */
function admit(route: RouteEntry, context: RequestContext, rateLimiter: RateLimiter | undefined): boolean {
  const { request } = context;
  const { origin } = request.headers;
  if (origin !== undefined) context.addHeaders(corsHeaders(origin));
  if (isPreflight(request)) {
    context.answer(preflightReply(route.allow));
    return false;
  }
  if (rateLimiter === undefined) return true;
  const { isAllowed, retryAfterSeconds, headers } = rateLimiter.take(context.client);
  context.addHeaders(headers);
  if (!isAllowed) context.refuse(rateLimited(retryAfterSeconds));
  return isAllowed;
}

function dispatch(route: RouteEntry, context: RequestContext): void | Promise<void> {
  const handler = route.handlers.get(context.request.method ?? '');
  if (handler !== undefined) return handler(context);
  const isPostToRoot = context.path === '/' && context.request.method === 'POST';
  return context.refuse(isPostToRoot ? POST_TO_ROOT : methodNotAllowed(route.allow));
}
