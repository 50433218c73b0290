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
 * Default for the largest request body, bytes: twenty times the largest valid call (a transaction of 1,232
 * bytes is 1,644 characters of base64), and small enough that one body per possible connection fits into
 * memory.
 */
const BODY_BYTES_MAX = 64 * 1024;

/** How to create the HTTP front of the payments service. */
export interface ServiceOptions {
  readonly operations: readonly Operation[];
  /** Operations offered only as MCP tools. */
  readonly toolOperations?: readonly Operation[];
  /** Decides who may talk to the service (`createHostGuard`). */
  readonly hostGuard: (request: IncomingMessage) => HostVerdict;
  readonly logger: Logger;
  readonly random: Random;
  /** The clock for idempotency keys; defaults to the system clock. */
  readonly clock?: Clock;
  /** The origin callers use (`https://pay.example.com`); defaults to the one each request was sent to. */
  readonly publicOrigin?: string;
  /** Largest request body, bytes; default `BODY_BYTES_MAX`. */
  readonly bodyBytesMax?: number;
  /** Limits requests per client; by default there is no limit. */
  readonly rateLimiter?: RequestLimiter;
  /** Identifies the client of a request, for limits and queues; by default its connection's address. */
  readonly findClient?: ClientFinder;
  /** The table of idempotency keys; by default in this process. */
  readonly idempotencyKeys?: KeyTable;
  /** Limits on running operations that differ from `OPERATION_LIMITS`. */
  readonly operationLimits?: Partial<OperationLimits>;
}

/**
 * Creates the HTTP front of the payments service. Each operation is an MCP tool and has a REST path.
 *
 * @throws Error if an operation's schemas cannot be offered.
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
