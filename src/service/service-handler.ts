import type { IncomingMessage } from 'node:http';
import type { HostVerdict } from '../http/host-guard.ts';
import type { RequestHandler } from '../http/server.ts';
import type { Operation } from '../payments/operation.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import { createDiscoveryRoutes } from './discovery-routes.ts';
import { HEALTH_ROUTE } from './health-route.ts';
import { createMcpRoute } from './mcp/mcp-route.ts';
import { createOperationTool } from './mcp/operation-tool.ts';
import { createToolCatalogue } from './mcp/tool-catalogue.ts';
import { FOREIGN, methodNotAllowed, NOT_FOUND, writeProblem } from './refusal.ts';
import { RequestContext, type RequestSurroundings } from './request-context.ts';
import { createRouteTable, pathOf, type Route, type RouteEntry } from './route-table.ts';

/**
 * Largest request body by default: twenty times what the largest call needs (a transaction of 1,232 bytes is 1,644
 * characters of base64), and little enough that as many bodies as there may be connections fit into memory.
 */
export const BODY_BYTES_MAX = 64 * 1024;

/** What the HTTP front of the payments service is made of. */
export interface ServiceOptions {
  readonly operations: readonly Operation[];
  /** Who may talk to the service (`createHostGuard`). */
  readonly hostGuard: (request: IncomingMessage) => HostVerdict;
  readonly logger: Logger;
  readonly random: Random;
  /** Origin under which callers reach the service (`https://pay.example.com`); by default the one each asked. */
  readonly publicOrigin?: string;
  /** Largest request body, bytes; by default `BODY_BYTES_MAX`. */
  readonly bodyBytesMax?: number;
}

/**
 * Builds the HTTP front of the payments service from its operations.
 *
 * @throws Error when an operation's schemas cannot be offered as a tool.
 */
export function createServiceHandler(options: ServiceOptions): RequestHandler {
  const { operations, hostGuard, logger, random, publicOrigin } = options;
  const tools = createToolCatalogue(operations.map(createOperationTool), logger);
  return createFront(
    [
      createMcpRoute({ tools, publicOrigin, bodyBytesMax: options.bodyBytesMax ?? BODY_BYTES_MAX }),
      ...createDiscoveryRoutes(tools, publicOrigin),
      HEALTH_ROUTE,
    ],
    hostGuard,
    { logger, random },
  );
}

/**
 * Puts routes behind the checks that come before all others: who asks, then path and method. Nothing that a route
 * throws leaves the front.
 */
export function createFront(
  routes: readonly Route[],
  hostGuard: (request: IncomingMessage) => HostVerdict,
  surroundings: RequestSurroundings,
): RequestHandler {
  const table = createRouteTable(routes);
  return (request, response) => {
    const route = table.get(pathOf(request.url ?? ''));
    const context = new RequestContext(request, response, surroundings, route?.writeRefusal ?? writeProblem);
    context.attempt(() => {
      const verdict = hostGuard(request);
      if (verdict !== 'ok') return context.refuse(FOREIGN[verdict]);
      return route === undefined ? context.refuse(NOT_FOUND) : dispatch(route, context);
    });
  };
}

function dispatch(route: RouteEntry, context: RequestContext): void | Promise<void> {
  const handler = route.handlers.get(context.request.method ?? '');
  return handler === undefined ? context.refuse(methodNotAllowed(route.allow)) : handler(context);
}
