import type { IncomingMessage } from 'node:http';
import type { ClientFinder } from '../http/forwarded-client.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import type { RequestHandler } from '../http/server.ts';
import type { Operation } from '../payments/operation.ts';
import { systemClock, type Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import { createDiscoveryRoutes } from './discovery-routes.ts';
import { createFront } from './front.ts';
import { HEALTH_ROUTE } from './health-route.ts';
import { createMcpRoute } from './mcp/mcp-route.ts';
import { createOperationTools } from './mcp/operation-tool.ts';
import { createOpenApiDocument } from './openapi/openapi-document.ts';
import { OperationGate, type OperationLimits } from './operation-gate.ts';
import type { RequestLimiter } from './rate-limiter.ts';
import { createReferenceRoutes } from './reference/reference-routes.ts';
import { RequestIds } from './request-ids.ts';
import { IdempotencyKeys, type KeyTable } from './rest/idempotency-keys.ts';
import { placeOperations } from './rest/rest-table.ts';
import { createRestRoutes } from './rest/rest-routes.ts';
import { serveOperation, type ServedOperation } from './served-operation.ts';

/**
 * Largest request body by default: twenty times what the largest call needs (a transaction of 1,232 bytes is
 * 1,644 characters of base64), and little enough that as many bodies as there may be connections fit into
 * memory.
 */
const BODY_BYTES_MAX = 64 * 1024;

/** What the HTTP front of the payments service is made of. */
export interface ServiceOptions {
  readonly operations: readonly Operation[];
  /** Operations that are MCP tools and nothing else. */
  readonly toolOperations?: readonly Operation[];
  /** Who may talk to the service (`createHostGuard`). */
  readonly hostGuard: (request: IncomingMessage) => HostVerdict;
  readonly logger: Logger;
  readonly random: Random;
  /** Time of idempotency keys; by default the machine's. */
  readonly clock?: Clock;
  /**
   * Origin under which callers reach the service (`https://pay.example.com`); by default the one each asked.
   */
  readonly publicOrigin?: string;
  /** Largest request body, bytes; by default `BODY_BYTES_MAX`. */
  readonly bodyBytesMax?: number;
  /** Who limits the requests of a client address; by default nobody. */
  readonly rateLimiter?: RequestLimiter;
  /** Whose a request is, for limits and its place in line; by default that of the connection's address. */
  readonly findClient?: ClientFinder;
  /** Where idempotency keys are taken; by default in this process. */
  readonly idempotencyKeys?: KeyTable;
  /** Bounds on running operations that differ from `OPERATION_LIMITS`. */
  readonly operationLimits?: Partial<OperationLimits>;
}

/**
 * Builds the HTTP front of the payments service from its operations: each is an MCP tool and has its REST
 * path.
 *
 * @throws Error when an operation's schemas cannot be offered.
 */
export function createServiceHandler(options: ServiceOptions): RequestHandler {
  const { hostGuard, logger, random, clock = systemClock, publicOrigin } = options;
  const {
    bodyBytesMax = BODY_BYTES_MAX,
    rateLimiter,
    findClient,
    idempotencyKeys: keys = new IdempotencyKeys(clock),
  } = options;
  const gate = new OperationGate(options.operationLimits);
  const served = (each: Operation): ServedOperation => serveOperation(each, gate);
  const operations = options.operations.map(served);
  const tools = createOperationTools([...operations, ...(options.toolOperations ?? []).map(served)], logger);
  const placed = placeOperations(operations);
  return createFront(
    [
      createMcpRoute({ tools, publicOrigin, bodyBytesMax }),
      ...createRestRoutes(placed, { bodyBytesMax, keys }),
      ...createDiscoveryRoutes(tools, publicOrigin),
      ...createReferenceRoutes(createOpenApiDocument(placed, publicOrigin)),
      HEALTH_ROUTE,
    ],
    {
      hostGuard,
      surroundings: { logger, requestIds: new RequestIds(random), ...(findClient && { findClient }) },
      ...(rateLimiter && { rateLimiter }),
    },
  );
}
