import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { Chain } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { createClusters } from '../chain/create-clusters.ts';
import type { Config } from '../config/config.ts';
import type { CallLog } from '../console/calls/call-log.ts';
import { withConsole } from '../console/console-paths.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import type { Listener } from '../http/listener.ts';
import { type ProbesOptions, withProbes } from '../http/probes.ts';
import type { RequestHandler } from '../http/server.ts';
import type { Registry } from '../metrics/registry.ts';
import { serveStdio } from '../service/mcp/stdio.ts';
import type { LocalFaucet } from '../wallets/fund.ts';
import type { OpenedConsole } from './console-server.ts';
import { listen } from './listening.ts';
import { withLocalTools } from './local-tools.ts';
import { createOperations } from './operations.ts';
import type { Ports } from './ports.ts';
import { type Resource, Resources } from './resources.ts';
import type { SharedState } from './shared-state.ts';
import { tellServiceCalls } from './tell-calls.ts';
import { createRateLimiter, createToolService } from './tool-service.ts';

/** The tool service as it is reached: at a port, or over stdio. */
export interface ToolServer {
  /** Where it listens, without path; `stdio` where it has no port. */
  readonly url: string;
  /** Its listener; null where it has no port. */
  readonly listener: Listener | null;
  /** Gets everything ready. */
  prepare(
    localnet: Localnet | null,
    probes: ToolProbes,
    console: OpenedConsole | null,
    shared: SharedState,
  ): Promise<PreparedTools>;
  /** Answers requests in flight, then closes. */
  close(): Promise<void>;
}

/**
 * The prepared tool service. `close`, for when no request is in flight, drops its connections to clusters.
 */
interface PreparedTools extends Resource {
  /** Serves it from now on. */
  serve(): void;
}

/** The cluster of this process. */
export interface Localnet {
  readonly chain: Chain;
  /** The faucet of its base ledger. */
  readonly faucet: LocalFaucet;
}

/** What the probes of the tool service read. */
type ToolProbes = Pick<ProbesOptions, 'unreadiness' | 'writeMetrics'>;

/** What a tool server needs. */
interface ToolServerOptions {
  readonly config: Config;
  readonly ports: Ports;
  readonly guard: (request: IncomingMessage) => HostVerdict;
  /** Where calls are listed; null where the console is off. */
  readonly calls: CallLog | null;
  /** Where its figures are added. */
  readonly registry: Registry;
}

/**
 * Binds `PORT` in this process.
 *
 * @param held the port, where it is held already; it is then not closed with the server.
 * @throws {ServiceError} CONFIG_INVALID when it cannot be had.
 */
export async function openPortServer(options: ToolServerOptions, held?: Listener): Promise<ToolServer> {
  const { config, ports, guard, calls, registry } = options;
  const listener = held ?? (await listen(config, 'PORT', config.port));
  return {
    url: listener.url,
    listener,
    prepare: (localnet, probes, console, { idempotencyKeys, tables }) =>
      Resources.open(async (resources) => {
        const clusters = resources.add(openClusters(options, localnet));
        const rateLimiter = createRateLimiter(config, ports.clock);
        // The page would list those of the process that happens to answer it.
        const isListed = calls !== null && config.workers === 1;
        const tellCall = isListed ? tellServiceCalls((call) => calls.add(call), ports.clock) : undefined;
        const logins = console?.logins ?? undefined;
        const shared = { clusters, ports, guard, registry, localnet };
        const parts = { ...shared, rateLimiter, idempotencyKeys, tables, tellCall, logins };
        const create = (): RequestHandler => createToolService(config, parts);
        // What serves on a port that is held may be replaced before it is asked for anything.
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

/** A handler that is made with the first request. */
function atFirstRequest(create: () => RequestHandler): RequestHandler {
  let made: RequestHandler | undefined;
  return (request, response) => (made ??= create())(request, response);
}

/** The streams of one MCP client. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** The user's own bearer token for private reads. */
  readonly token?: string;
}

/** MCP over streams, for one client. */
export function openStdioServer(streams: StdioStreams, options: ToolServerOptions): ToolServer {
  const { config, ports } = options;
  let server: { close(): Promise<void> } | undefined;
  return {
    url: 'stdio',
    listener: null,
    prepare: (localnet, _probes, _console, { tables }) =>
      Resources.open(async (resources) => {
        const clusters = resources.add(openClusters(options, localnet));
        const parts = { config, clusters, ports, localnet };
        const operations = createOperations(config, clusters, ports, tables, options.registry);
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
