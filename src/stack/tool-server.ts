import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { Chain } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { createClusters } from '../chain/create-clusters.ts';
import type { Config } from '../config/config.ts';
import type { CallLog } from '../console/calls/call-log.ts';
import type { Console } from '../console/console.ts';
import { withConsole } from '../console/console-paths.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import { openListener, type Listener } from '../http/listener.ts';
import type { RequestHandler } from '../http/server.ts';
import { withProbes } from '../http/probes.ts';
import type { Registry } from '../metrics/registry.ts';
import { serveStdio } from '../service/mcp/stdio.ts';
import type { KeyTable } from '../service/rest/idempotency-keys.ts';
import { CallSlices } from '../workers/call-slices.ts';
import { createChainCalls, describeChain } from '../workers/chain-calls.ts';
import type { WorkerPool, Provisions } from '../workers/worker-pool.ts';
import type { ProbeCalls } from '../workers/worker-protocol.ts';
import type { LocalFaucet } from '../wallets/fund.ts';
import { NO_VERSION } from '../workers/shared-version.ts';
import type { OpenedConsole } from './console-server.ts';
import { Resources, type Resource } from './resources.ts';
import { listen } from './listening.ts';
import { withLocalTools } from './local-tools.ts';
import { createOperations } from './operations.ts';
import type { Ports } from './ports.ts';
import { tellServiceCalls } from './tell-calls.ts';
import { createRateLimiter, createToolService } from './tool-service.ts';

/**
 * The tool service as it is reached: at a port of this process, at a port the workers share, or over stdio.
 */
export interface ToolServer {
  /** Where it listens, without path; `stdio` where it has no port. */
  readonly url: string;
  /** Its listener; null where the port is not of this process. */
  readonly listener: Listener | null;
  /** Gets everything ready. */
  prepare(
    localnet: Localnet | null,
    probes: ToolProbes,
    console: OpenedConsole | null,
    idempotencyKeys: KeyTable,
  ): Promise<PreparedTools>;
  /** Answers requests in flight, then closes. */
  close(): Promise<void>;
}

/**
 * The prepared tool service. `close`, for when no request is in flight, drops its connections to clusters.
 */
interface PreparedTools extends Resource {
  /** Serves it from now on. Resolves when it is served everywhere. */
  serve(): Promise<void>;
}

/** The cluster of this process. */
export interface Localnet {
  readonly chain: Chain;
  /** Whether a read may have to fetch from another cluster first. */
  readonly isFork: boolean;
  /** The faucet of its base ledger. */
  readonly faucet: LocalFaucet;
  /** Calls `note` after each change of its ledgers, before the author of the change is answered. */
  onChange(note: () => void): void;
  /** Whether `note` has been called for everything that can be read of base. */
  isQuiet(): boolean;
}

/** What the probes of the tool service read. */
interface ToolProbes extends Pick<ProbeCalls, 'unreadiness'> {
  /** The metrics of all processes; left out where they are not served. */
  readonly writeMetrics?: () => string | Promise<string>;
}

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
    prepare: (localnet, probes, console, idempotencyKeys) =>
      Resources.open(async (resources) => {
        const clusters = resources.add(openClusters(options, localnet));
        const rateLimiter = createRateLimiter(config, ports.clock);
        const tellCall =
          calls === null ? undefined : tellServiceCalls((call) => calls.add(call), ports.clock);
        const logins = console?.logins ?? undefined;
        const shared = { clusters, ports, guard, registry, localnet };
        const parts = { ...shared, rateLimiter, idempotencyKeys, tellCall, logins };
        const create = (): RequestHandler => createToolService(config, parts);
        // What serves on a port that is held may be replaced before it is asked for anything.
        const service = held === undefined ? create() : atFirstRequest(create);
        const handler = withProbes(service, { guard, logger: ports.logger, ...probes });
        return {
          async serve() {
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

/**
 * The workers that share `PORT`. Rate limits and idempotency keys, which must exist once, are in this
 * process.
 *
 * @throws {ServiceError} CONFIG_INVALID when it cannot be had; what WorkerPool fails with.
 */
export async function openPoolServer(
  pool: WorkerPool,
  { config, ports, calls }: ToolServerOptions,
): Promise<ToolServer> {
  const rateLimiter = createRateLimiter(config, ports.clock);
  const slices = calls && new CallSlices(calls, { logsArguments: config.consoleLogArguments });
  let passed: Listener | null = null;
  return {
    url: await pool.listening(),
    listener: null,
    async prepare(localnet, { unreadiness, writeMetrics }, console, idempotencyKeys) {
      passed = console && (await listenForPasses(console));
      await pool.prepare({
        consolePort: passed && passed.port,
        chain: localnet && (await offerChain(localnet, pool)),
        limits: {
          ...(rateLimiter && { rateLimiter }),
          idempotencyKeys,
        },
        calls: {
          noteCalls: (told, skipped) => slices?.add(told, skipped),
        },
        probes: { unreadiness, metrics: async () => (await writeMetrics?.()) ?? '' },
      });
      return { serve: () => pool.serve(), close: () => undefined };
    },
    async close() {
      await Promise.all([pool.close(), passed?.close()]);
    },
  };
}

/** Where workers pass requests for the console: a port of this machine alone, whatever `HOST` is. */
async function listenForPasses(console: Console): Promise<Listener> {
  const listener = await openListener('127.0.0.1', 0);
  listener.serve(console.handler);
  listener.onUpgrade(console.upgrade);
  return listener;
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
    prepare: (localnet) =>
      Resources.open(async (resources) => {
        const clusters = resources.add(openClusters(options, localnet));
        const parts = { config, clusters, ports, localnet };
        const operations = createOperations(config, clusters, ports, options.registry);
        const offer = withLocalTools(operations, parts);
        return {
          async serve() {
            server = serveStdio({ ...offer, ...streams, ...ports });
          },
          close: () => resources.close(),
        };
      }),
    close: async () => server?.close(),
  };
}

async function offerChain(
  { chain, isFork, onChange, isQuiet }: Localnet,
  { version }: WorkerPool,
): Promise<Provisions['chain']> {
  onChange(() => version.advance());
  const calls = createChainCalls(chain, () => (isQuiet() ? version.version : NO_VERSION));
  return { facts: await describeChain(chain, isFork), calls };
}

function openClusters({ config, ports }: ToolServerOptions, localnet: Localnet | null): Clusters {
  return createClusters(config, { ...ports, localnet: localnet && localnet.chain });
}
