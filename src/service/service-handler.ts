import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors/service-error.ts';
import type { ClientFinder } from '../http/client-address.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import type { RequestHandler } from '../http/server.ts';
import { ANONYMOUS, type Operation } from '../payments/operation.ts';
import { type Clock, systemClock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import { MemoryTables } from '../ports/tables.ts';
import type { Timer } from '../ports/timer.ts';
import { createDiscoveryRoutes } from './discovery.ts';
import { createFront } from './front.ts';
import { HEALTH_ROUTE } from './health-route.ts';
import { describeArgumentProblems } from './input/argument-problems.ts';
import { lazily } from './lazily.ts';
import { createLlmsRoute } from './llms.ts';
import type { LoginDesk } from './mcp/eras.ts';
import type { AskedLogins } from './mcp/logins/asked-logins.ts';
import { createMcpRoute } from './mcp/mcp-route.ts';
import { createOperationTools, toolName } from './mcp/operation-tool.ts';
import { createOpenApiDocument } from './openapi/openapi-document.ts';
import { OperationGate, type OperationLimits } from './operation-gate.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createReferenceRoutes } from './reference/reference-routes.ts';
import type { TellCall } from './request-context.ts';
import { IdempotencyKeys } from './rest/idempotency-keys.ts';
import { TableKeyStore } from './rest/key-store.ts';
import { createRestRoutes } from './rest/rest-routes.ts';
import { placeOperations } from './rest/rest-table.ts';
import { type ServedOperation, serveOperation } from './served-operation.ts';

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
  readonly rateLimiter?: RateLimiter;
  /** Identifies the client of a request, for limits and queues; by default its connection's address. */
  readonly findClient?: ClientFinder;
  /** The table of idempotency keys; by default in this process. */
  readonly idempotencyKeys?: IdempotencyKeys;
  /** Limits on running operations that differ from `OPERATION_LIMITS`. */
  readonly operationLimits?: Partial<OperationLimits>;
  /** Timer for the time limit of operations; defaults to the system's. */
  readonly operationTimer?: Timer;
  /** Hears of every answered call of the API; by default nobody does. */
  readonly tellCall?: TellCall;
  /** Logins that MCP clients ask their users for, on a page; left out where there is none. */
  readonly logins?: AskedLogins;
}

/**
 * Creates the HTTP front of the payments service. Each operation is an MCP tool and has a REST path.
 *
 * @throws Error if two tools have the same name.
 */
export function createServiceHandler(options: ServiceOptions): RequestHandler {
  const { hostGuard, logger, random, clock = systemClock, publicOrigin, tellCall } = options;
  const {
    bodyBytesMax = BODY_BYTES_MAX,
    rateLimiter,
    findClient,
    idempotencyKeys: keys = new IdempotencyKeys(new TableKeyStore(new MemoryTables(), clock), logger),
  } = options;
  const gate = new OperationGate(options.operationLimits, options.operationTimer);
  const served = (each: Operation): ServedOperation => serveOperation(each, gate);
  const operations = options.operations.map(served);
  const tools = createOperationTools([...operations, ...(options.toolOperations ?? []).map(served)], logger);
  const placed = placeOperations(operations);
  return createFront(
    [
      createMcpRoute({ tools, publicOrigin, bodyBytesMax, desk: deskOf(options.logins, operations) }),
      ...createRestRoutes(placed, { bodyBytesMax, keys }),
      ...createDiscoveryRoutes(tools, publicOrigin),
      ...createReferenceRoutes(lazily(() => createOpenApiDocument(placed, publicOrigin))),
      createLlmsRoute({ placed, tools: tools.definitions, publicOrigin }),
      HEALTH_ROUTE,
    ],
    {
      hostGuard,
      surroundings: {
        logger,
        random,
        ...(findClient && { findClient }),
        ...(tellCall && { tellCall }),
      },
      ...(rateLimiter && { rateLimiter }),
    },
  );
}

/** Where people log in for calls: through the operation that everybody logs in with. */
function deskOf(
  logins: AskedLogins | undefined,
  operations: readonly ServedOperation[],
): LoginDesk | undefined {
  const login = operations.find(({ operation }) => toolName(operation) === 'spl.login');
  if (logins === undefined || login === undefined) return undefined;
  return {
    logins,
    logIn: async (given) => {
      const checked = login.check({ ...given });
      if (!checked.isValid) {
        throw new ServiceError('INVALID_ARGUMENTS', describeArgumentProblems(checked.problems).join('. '));
      }
      const { output } = await login.run(checked.value, ANONYMOUS);
      return (output as { readonly token: string }).token;
    },
  };
}
