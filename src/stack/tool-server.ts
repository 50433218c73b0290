import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { Chain } from '../chain/chain.ts';
import { type Clusters, createClusters } from '../chain/clusters.ts';
import { type Config, usesApiKeys } from '../config/config.ts';
import type { CallLog } from '../console/calls/call-log.ts';
import { withConsole } from '../console/console.ts';
import { createClientFinder } from '../http/client-address.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import { type ProbesOptions, withProbes } from '../http/probes.ts';
import type { Listener, RequestHandler } from '../http/server.ts';
import type { Registry } from '../metrics/registry.ts';
import { type Clock, systemClock } from '../ports/clock.ts';
import { serveStdio } from '../service/mcp/stdio.ts';
import { RateLimiter, type RequestLimiter } from '../service/rate-limiter.ts';
import type { OnCall } from '../service/request-context.ts';
import { toolName } from '../service/mcp/tools.ts';
import { createServiceHandler } from '../service/service-handler.ts';
import type { LocalFaucet } from '../wallets/fund.ts';
import { createAuthorizer } from './authorizer.ts';
import type { OpenedConsole } from './console-server.ts';
import { openCheckout } from './checkout.ts';
import { openFacilitator } from './facilitator.ts';
import { openPaymentFollower } from './payment-follower.ts';
import { listen } from './listening.ts';
import { type Ports, type Resource, Resources } from './node.ts';
import { createOperations, withLocalTools } from './operations.ts';
import { openSwaps } from './swaps.ts';
import type { SharedState } from './shared-state.ts';
import { logServiceCalls, measureServiceCalls, reportServiceCalls } from './report-calls.ts';

/** The tool service, on a port or over stdio. */
export interface ToolServer {
  /** The URL that the service listens on, without a path; `stdio` if it has no port. */
  readonly url: string;
  /** The service's listener; null if the service has no port. */
  readonly listener: Listener | null;
  /** Prepares the operations and the handler. */
  prepare(
    localnet: Localnet | null,
    probes: ToolProbes,
    console: OpenedConsole | null,
    shared: SharedState,
  ): Promise<PreparedTools>;
  /** Answers requests in flight, then closes. */
  close(): Promise<void>;
}

/** The prepared tool service. Call `close` when no request is in flight. */
interface PreparedTools extends Resource {
  /** Starts serving requests. */
  serve(): void;
}

/** The cluster `localnet` of this process. */
export interface Localnet {
  readonly chain: Chain;
  /** The faucet of the base ledger. */
  readonly faucet: LocalFaucet;
}

type ToolProbes = Pick<ProbesOptions, 'unreadiness' | 'writeMetrics'>;

interface ToolServerOptions {
  readonly config: Config;
  readonly ports: Ports;
  readonly guard: (request: IncomingMessage) => HostVerdict;
  /** The call log of the console; null if the console is off. */
  readonly calls: CallLog | null;
  /** The registry for the service's metrics. */
  readonly registry: Registry;
}

/**
 * Binds `PORT` in this process.
 *
 * @param held a port that is already bound. It is not closed with the server.
 * @throws {ServiceError} the errors of `listen`.
 */
export async function openPortServer(options: ToolServerOptions, held?: Listener): Promise<ToolServer> {
  const { config, ports, guard, registry } = options;
  const listener = held ?? (await listen(config, 'PORT', config.port));
  return {
    url: listener.url,
    listener,
    prepare: (localnet, probes, console, shared) =>
      Resources.open(async (resources) => {
        const { idempotencyKeys, apiKeys, sponsorBudget } = shared;
        const clusters = resources.add(openClusters(options, localnet));
        const rateLimiter = await openRequestLimiter(options, resources);
        const authorizer = await createAuthorizer(config, apiKeys, ports.logger);
        const swaps = resources.add(openSwaps({ config, ports, localnet }));
        const logins = console?.logins ?? null;
        const follower = openPaymentFollower(shared.payments, clusters, ports.logger);
        const facilitator = openFacilitator({ config, clusters, ports, shared, follower, registry });
        if (facilitator !== null) console?.showFacilitator(facilitator.read);
        const checkout = openCheckout({ config, clusters, ports, shared, follower, registry });
        const extensions = [facilitator, checkout].filter((each) => each !== null);
        if (extensions.length > 0) {
          follower.start();
          resources.add(follower);
        }
        if (checkout?.webhooks) resources.add(checkout.webhooks).start();
        const create = (): RequestHandler => {
          const operations = createOperations(config, clusters, ports, {
            budget: sponsorBudget,
            registry,
            swaps,
          });
          const offer = withLocalTools(operations, { config, clusters, ports, localnet });
          return createServiceHandler({
            ...offer,
            ...ports,
            hostGuard: guard,
            findClient: createClientFinder(config.trustedProxies),
            idempotencyKeys,
            ...(rateLimiter && { rateLimiter }),
            ...followCalls(options, [
              ...[...offer.operations, ...offer.toolOperations].map(toolName),
              ...extensions.flatMap(({ calls }) => calls),
            ]),
            ...(authorizer && { authorizer }),
            ...(logins && { logins }),
            extensions,
            ...(facilitator?.till && { till: facilitator.till }),
            ...(config.publicUrl !== null && { publicOrigin: config.publicUrl }),
          });
        };
        // Created lazily, because a localnet often resets before the first request.
        const service = held === undefined ? create() : atFirstRequest(create);
        const handler = withProbes(service, { guard, logger: ports.logger, ...probes });
        return {
          serve() {
            listener.serve(console === null ? handler : withConsole(handler, console.handler));
            if (console !== null) listener.onUpgrade(console.upgrade);
          },
          close: () => resources.close(),
        };
      }),
    close: async () => (held === undefined ? await listener.close() : held.pause()),
  };
}

/**
 * Creates the listener of the service's calls: the console lists them, the metrics count them, and
 * `ACCESS_LOG` logs them. Without any of these, calls are not followed.
 */
function followCalls(
  { config, ports, calls, registry }: ToolServerOptions,
  names: string[],
): { readonly onCall?: OnCall } {
  const { clock, logger } = ports;
  const listeners = [
    // With several processes the console would list only the calls of one process.
    ...(calls !== null && config.workers === 1 ? [reportServiceCalls((call) => calls.add(call), clock)] : []),
    ...(config.metrics ? [measureServiceCalls(registry, names)] : []),
    ...(config.accessLog ? [logServiceCalls(logger)] : []),
  ];
  if (listeners.length === 0) return {};
  return {
    onCall: (call) => {
      for (const follow of listeners) follow(call);
    },
  };
}

/** Defers the creation of a handler to the first request. */
function atFirstRequest(create: () => RequestHandler): RequestHandler {
  let made: RequestHandler | undefined;
  return (request, response) => (made ??= create())(request, response);
}

/** The streams of one MCP client. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** The user's bearer token for private reads. */
  readonly token?: string;
}

/** Opens an MCP server over streams, for one client. */
export function openStdioServer(streams: StdioStreams, options: ToolServerOptions): ToolServer {
  const { config, ports } = options;
  let server: { close(): Promise<void> } | undefined;
  return {
    url: 'stdio',
    listener: null,
    prepare: (localnet, _probes, _console, { sponsorBudget }) =>
      Resources.open(async (resources) => {
        const clusters = resources.add(openClusters(options, localnet));
        const parts = { config, clusters, ports, localnet };
        const { registry } = options;
        const swaps = resources.add(openSwaps(parts));
        const operations = createOperations(config, clusters, ports, {
          budget: sponsorBudget,
          registry,
          swaps,
        });
        const offer = withLocalTools(operations, parts);
        return {
          serve() {
            server = serveStdio({ ...offer, ...streams, ...ports });
          },
          close: () => resources.close(),
        };
      }),
    close: async () => server?.close(),
  };
}

function openClusters({ config, ports }: ToolServerOptions, localnet: Localnet | null): Clusters {
  return createClusters(config, { ...ports, localnet: localnet && localnet.chain });
}

/** Creates the rate limiter of this process; undefined without a limit. Workers enforce their share. */
export function createRateLimiter(config: Config, clock: Clock): RateLimiter | undefined {
  const { rateLimitPerSecond, rateLimitBurst, workers } = config;
  if (rateLimitPerSecond === 0) return undefined;
  const limit = { requestsPerSecond: rateLimitPerSecond, burst: rateLimitBurst };
  return new RateLimiter(limit, clock, { shares: workers });
}

/**
 * Opens the rate limiter of all replicas or of this process; undefined without a limit. API keys can have
 * their own limits.
 */
async function openRequestLimiter(
  { config, ports, registry }: ToolServerOptions,
  resources: Resources,
): Promise<RequestLimiter | undefined> {
  const { limitsUrl, rateLimitPerSecond, rateLimitBurst, workers } = config;
  if (rateLimitPerSecond === 0 && !usesApiKeys(config)) return undefined;
  const limit =
    rateLimitPerSecond === 0 ? null : { requestsPerSecond: rateLimitPerSecond, burst: rateLimitBurst };
  if (limitsUrl === null) return new RateLimiter(limit, ports.clock, { shares: workers });
  // Most services do not use Redis and do not load its client.
  const { RedisRequestLimiter } = await import('../state/redis/request-limiter.ts');
  // Not the clock of a localnet, which may stand still.
  const parts = { url: limitsUrl.reveal(), limit, clock: systemClock, logger: ports.logger };
  const limiter = resources.add(new RedisRequestLimiter(parts));
  await limiter.connect();
  registry.counter(
    'rate_limit_local_total',
    'Requests that this replica counted by itself, because LIMITS_URL did not answer.',
    () => limiter.localCount,
  );
  return limiter;
}
