import type { IncomingMessage } from 'node:http';
import type { Clusters } from '../chain/clusters.ts';
import type { Config } from '../config/config.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import { createClientFinder } from '../http/forwarded-client.ts';
import type { RequestHandler } from '../http/server.ts';
import type { Registry } from '../metrics/registry.ts';
import type { Tables } from '../ports/tables.ts';
import type { Clock } from '../ports/clock.ts';
import type { AskedLogins } from '../service/mcp/logins/asked-logins.ts';
import { RateLimiter, type RequestLimiter } from '../service/rate-limiter.ts';
import type { IdempotencyKeys } from '../service/rest/idempotency-keys.ts';
import type { TellCall } from '../service/served-call.ts';
import { createServiceHandler } from '../service/service-handler.ts';
import { withLocalTools, type LocalToolsParts } from './local-tools.ts';
import { createOperations } from './operations.ts';
import type { Ports } from './ports.ts';

/** What the tool service needs. */
interface ToolServiceParts {
  readonly clusters: Clusters;
  readonly ports: Ports;
  readonly guard: (request: IncomingMessage) => HostVerdict;
  /** Left out where requests are not limited. */
  readonly rateLimiter?: RequestLimiter | undefined;
  /** The table of idempotency keys; by default one in this process. */
  readonly idempotencyKeys?: IdempotencyKeys;
  /** What processes share; in this one's memory when left out. */
  readonly tables?: Tables;
  /** The ledger of this process; left out where there is none. */
  readonly localnet?: LocalToolsParts['localnet'];
  /** Hears of every answered call; left out where nobody does. */
  readonly tellCall?: TellCall | undefined;
  /** Logins that MCP clients ask for; left out without a page to answer them on. */
  readonly logins?: AskedLogins | undefined;
  /** Where its figures are added; left out where nobody reads them. */
  readonly registry?: Registry;
}

/**
 * The rate limiter; undefined where requests are not limited. Each of several processes allows its share of
 * the limit, as connections are handed round.
 */
export function createRateLimiter(config: Config, clock: Clock): RateLimiter | undefined {
  const { rateLimitPerSecond, rateLimitBurst, workers } = config;
  if (rateLimitPerSecond === 0) return undefined;
  const burst = Math.max(1, Math.floor(rateLimitBurst / workers));
  return new RateLimiter({ requestsPerSecond: rateLimitPerSecond / workers, burst }, clock);
}

/** The HTTP handler of the payment operations on the configured clusters. */
export function createToolService(config: Config, parts: ToolServiceParts): RequestHandler {
  const {
    clusters,
    ports,
    guard,
    rateLimiter,
    idempotencyKeys,
    tables,
    localnet = null,
    tellCall,
    logins,
  } = parts;
  const operations = createOperations(config, clusters, ports, tables, parts.registry);
  return createServiceHandler({
    ...withLocalTools(operations, { config, clusters, ports, localnet }),
    hostGuard: guard,
    ...ports,
    ...(rateLimiter && { rateLimiter }),
    findClient: createClientFinder(config.trustedProxies),
    ...(idempotencyKeys && { idempotencyKeys }),
    ...(tellCall && { tellCall }),
    ...(logins && { logins }),
    ...(config.publicUrl !== null && { publicOrigin: config.publicUrl }),
  });
}
