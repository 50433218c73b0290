import type { IncomingMessage } from 'node:http';
import type { Clusters } from '../chain/clusters.ts';
import type { Config } from '../config/config.ts';
import { isLoopback, type HostVerdict } from '../http/host-guard.ts';
import type { RequestHandler } from '../http/server.ts';
import type { RateLimit, RequestLimiter } from '../service/rate-limiter.ts';
import type { KeyTable } from '../service/rest/idempotency-keys.ts';
import { createServiceHandler } from '../service/service-handler.ts';
import { createOperations } from './operations.ts';
import type { Ports } from './ports.ts';

/** Requests a second from one address when the service is open to the network and nothing else is set. */
const OPEN_REQUESTS_PER_SECOND = 50;

/** What the tool service stands on. */
export interface ToolServiceParts {
  readonly clusters: Clusters;
  readonly ports: Ports;
  readonly guard: (request: IncomingMessage) => HostVerdict;
  /** Left out where requests are not limited. */
  readonly rateLimit?: RateLimit | RequestLimiter | undefined;
  /** Where idempotency keys are taken; left out, in this process. */
  readonly idempotencyKeys?: KeyTable;
}

/** How often one client may ask the tool service; undefined for as often as it likes. */
export function rateLimitOf({ host, rateLimitPerSecond, rateLimitBurst }: Config): RateLimit | undefined {
  const requestsPerSecond = rateLimitPerSecond ?? (isLoopback(host) ? 0 : OPEN_REQUESTS_PER_SECOND);
  return requestsPerSecond === 0 ? undefined : { requestsPerSecond, burst: rateLimitBurst };
}

/** The HTTP face of the payment operations on the clusters that are configured. */
export function createToolService(config: Config, parts: ToolServiceParts): RequestHandler {
  const { clusters, ports, guard, rateLimit, idempotencyKeys } = parts;
  return createServiceHandler({
    operations: createOperations(config, clusters, ports),
    hostGuard: guard,
    ...ports,
    ...(rateLimit && { rateLimit }),
    ...(idempotencyKeys && { idempotencyKeys }),
    ...(config.publicUrl !== null && { publicOrigin: config.publicUrl }),
  });
}
