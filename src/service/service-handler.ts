import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors/service-error.ts';
import type { ClientFinder } from '../http/client-address.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import type { RequestHandler } from '../http/server.ts';
import type { SuggestValue } from '../payments/fields/suggest-value.ts';
import { ANONYMOUS, type Operation } from '../payments/operation.ts';
import { type Clock, systemClock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import { MemoryTables } from '../ports/tables.ts';
import type { Timer } from '../ports/timer.ts';
import type { Authorizer } from './auth/authorize.ts';
import { createMetadataRoutes } from './auth/resource-metadata.ts';
import { createDiscoveryRoutes } from './discovery.ts';
import { createFront, type Route } from './front.ts';
import { HEALTH_ROUTE } from './health-route.ts';
import type { JsonObject } from './input/json-object.ts';
import { describeArgumentProblems } from './input/argument-problems.ts';
import type { RequestedLogins } from './mcp/logins/requested-logins.ts';
import { createMcpRoute } from './mcp/mcp-route.ts';
import { createOperationTools, toolName } from './mcp/tools.ts';
import { createOpenApiDocument } from './openapi.ts';
import type { Till } from './paid/till.ts';
import type { RequestLimiter } from './rate-limiter.ts';
import { createReferenceRoutes } from './reference.ts';
import type { OnCall } from './request-context.ts';
import { IdempotencyKeys } from './rest/idempotency-keys.ts';
import { TableKeyStore } from './rest/key-store.ts';
import { createRestRoutes } from './rest/rest-routes.ts';
import { placeOperations } from './rest/rest-table.ts';
import {
  OperationGate,
  type OperationLimits,
  type ServedOperation,
  serveOperation,
  type SoldOperation,
} from './served-operation.ts';

/**
 * Default maximum size of a request body, in bytes. It is 40 times the largest transaction in base64, and
 * small enough that one body per connection fits into memory.
 */
const BODY_BYTES_MAX = 64 * 1024;

/** Routes of another API at the same address, with its part of the OpenAPI document. */
export interface ServiceExtension {
  /** The names of its calls, as `OnCall` reports them. */
  readonly calls: readonly string[];
  readonly routes: readonly Route[];
  /** The extension's OpenAPI path items, and the security schemes that they name. */
  readonly paths: JsonObject;
  readonly securitySchemes?: JsonObject;
}

/** Options of {@link createServiceHandler}. */
export interface ServiceOptions {
  readonly operations: readonly Operation[];
  /** Operations offered only as MCP tools. */
  readonly toolOperations?: readonly Operation[];
  readonly hostGuard: (request: IncomingMessage) => HostVerdict;
  readonly logger: Logger;
  readonly random: Random;
  /** Clock for idempotency keys. Default: the system clock. */
  readonly clock?: Clock;
  /** Public origin (`https://pay.example.com`). Default: the origin that each request was sent to. */
  readonly publicOrigin?: string;
  /** Maximum size of a request body, in bytes. Default: `BODY_BYTES_MAX`. */
  readonly bodyBytesMax?: number;
  readonly rateLimiter?: RequestLimiter;
  /** Authenticates callers; omitted if anyone may call the API. */
  readonly authorizer?: Authorizer;
  /** Finds the client of a request for limits and queues. Default: the address of its connection. */
  readonly findClient?: ClientFinder;
  /** Idempotency keys. Default: in the memory of this process. */
  readonly idempotencyKeys?: IdempotencyKeys;
  readonly suggest?: SuggestValue;
  readonly operationLimits?: Partial<OperationLimits>;
  readonly operationTimer?: Timer;
  readonly onCall?: OnCall;
  /** Logins that MCP clients request from their users. Omitted if there is no login page. */
  readonly logins?: RequestedLogins;
  /** Other APIs at the same address. */
  readonly extensions?: readonly ServiceExtension[];
  /** Sells the calls of operations with a price. Omitted if all are free. */
  readonly till?: Till;
}

/**
 * Creates the HTTP handler of the payments service. Each operation is an MCP tool and has a REST path.
 *
 * @throws Error if two tools have the same name.
 */
export function createServiceHandler(options: ServiceOptions): RequestHandler {
  const { hostGuard, logger, random, clock = systemClock, publicOrigin, onCall, extensions = [] } = options;
  const {
    bodyBytesMax = BODY_BYTES_MAX,
    rateLimiter,
    authorizer,
    findClient,
    idempotencyKeys: keys = new IdempotencyKeys(new TableKeyStore(new MemoryTables(), clock), logger),
  } = options;
  const gate = new OperationGate(options.operationLimits, options.operationTimer);
  const served = (each: Operation): ServedOperation => {
    const sold = options.till && sellOperation(options.till, toolName(each));
    const described = sold ? { ...each, description: `${each.description} ${sold.price.sentence}` } : each;
    return serveOperation(described, gate, options.suggest, sold);
  };
  const operations = options.operations.map(served);
  const tools = createOperationTools([...operations, ...(options.toolOperations ?? []).map(served)], logger);
  const placed = placeOperations(operations);
  const paths: JsonObject = Object.assign({}, ...extensions.map((each) => each.paths));
  const schemes: JsonObject = Object.assign({}, ...extensions.map((each) => each.securitySchemes));
  return createFront(
    [
      createMcpRoute({
        tools,
        publicOrigin,
        bodyBytesMax,
        logins: connectLogins(options.logins, operations),
        takesPayments: options.till !== undefined,
      }),
      ...createRestRoutes(placed, { bodyBytesMax, keys, publicOrigin }),
      ...createDiscoveryRoutes(tools, publicOrigin),
      ...(authorizer?.issuer === undefined ? [] : createMetadataRoutes(authorizer.issuer, publicOrigin)),
      ...createReferenceRoutes(
        placed,
        () => createOpenApiDocument(placed, publicOrigin, authorizer !== undefined, paths, schemes),
        paths,
      ),
      ...extensions.flatMap(({ routes }) => routes),
      HEALTH_ROUTE,
    ],
    {
      hostGuard,
      surroundings: {
        logger,
        random,
        ...(findClient && { findClient }),
        ...(onCall && { onCall }),
      },
      ...(rateLimiter && { rateLimiter }),
      ...(authorizer && { authorizer }),
    },
  );
}

/** Returns the till for one tool; undefined if the tool is free. */
function sellOperation(till: Till, tool: string): SoldOperation | undefined {
  const price = till.priceOf(tool);
  return price && { price, open: (paying) => till.open(tool, paying) };
}

/** Connects requested logins to the operation `spl.login`; returns undefined without it. */
function connectLogins(
  logins: RequestedLogins | undefined,
  operations: readonly ServedOperation[],
): RequestedLogins | undefined {
  const login = operations.find(({ operation }) => toolName(operation) === 'spl.login');
  if (logins === undefined || login === undefined) return undefined;
  logins.logInWith(async (given) => {
    const checked = login.check({ ...given });
    if (!checked.isValid) {
      throw new ServiceError('INVALID_ARGUMENTS', describeArgumentProblems(checked.problems).join('. '));
    }
    const { output } = await login.run(checked.value, ANONYMOUS);
    return (output as { readonly token: string }).token;
  });
  return logins;
}
