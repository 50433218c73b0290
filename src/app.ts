import type { IncomingMessage } from 'node:http';
import type { Rollup } from './chain/chain.ts';
import { openExternalRollup } from './chain/external-rollup.ts';
import { isGateway, type Config } from './config/config.ts';
import { isLoopback } from './config/loopback.ts';
import type { HostVerdict } from './http/host-guard.ts';
import { createClientFinder } from './http/forwarded-client.ts';
import { HTTP_LIMITS } from './http/limits.ts';
import type { Listener } from './http/listener.ts';
import { withProbes, type Unreadiness } from './http/probes.ts';
import { createCallMetrics } from './metrics/call-metrics.ts';
import { addHttpMetrics, type ListenerFigures } from './metrics/http-metrics.ts';
import { addLedgerMetrics, addPubsubMetrics, addSettlementMetrics } from './metrics/ledger-metrics.ts';
import { addProcessMetrics } from './metrics/process-metrics.ts';
import { Registry, writeMetrics } from './metrics/registry.ts';
import { addWorkerMetrics } from './metrics/worker-metrics.ts';
import type { CallObserver } from './rpc/dispatcher.ts';
import { LEDGER_METHODS } from './rpc/methods/method-table.ts';
import { ROLLUP_METHODS } from './rpc/methods/rollup/rollup-methods.ts';
import { SURFNET_METHODS } from './rpc/methods/surfnet/surfnet-methods.ts';
import { limitRequests, limitUpgrades } from './rpc/http/rate-limit.ts';
import { refusePlainHttp } from './rpc/pubsub/handshake.ts';
import { PUBSUB_METHODS, VOTE_METHODS } from './rpc/pubsub/methods/method-table.ts';
import type { PubSub } from './rpc/pubsub/pubsub.ts';
import type { NodeAddresses } from './rpc/rpc-node.ts';
import { SERVER_INFO } from './service/server-info.ts';
import { assertSettings } from './stack/assert-settings.ts';
import { openGatewayNode } from './stack/gateway-node.ts';
import { closeResources, type Resources } from './stack/resources.ts';
import { openLedgerNode, type LedgerNode } from './stack/ledger-node.ts';
import { guardOf, listen, listenWithNext } from './stack/listening.ts';
import type { Ports } from './stack/ports.ts';
import { NOTHING_PROVIDED, type ProvisionOptions } from './stack/provision-options.ts';
import { openRollupNode, type RollupNode } from './stack/rollup-node.ts';
import type { RpcServer } from './stack/rpc-server.ts';
import {
  openPoolServer,
  openPortServer,
  openStdioServer,
  type Localnet,
  type StdioStreams,
  type ToolServer,
  type ToolProbes,
} from './stack/tool-server.ts';
import { unreadinessOf } from './stack/unreadiness.ts';
import { createRateLimiter } from './stack/tool-service.ts';
import type { WorkerPool } from './workers/worker-pool.ts';

/** How the stack is started. */
export interface StartOptions {
  /** Delete the stored ledger first. */
  readonly reset: boolean;
  /** What is added to the genesis accounts of the ledger; nothing when left out. */
  readonly provision?: ProvisionOptions;
  /** Serve MCP over these streams instead of HTTP, with the bearer token of the user if there is one. */
  readonly stdio?: StdioStreams;
  /** Which node runs under the tool service; `listening` when left out. */
  readonly node?: NodePlace;
  /** Workers that run the tool service; without them it runs in this process. They end with the stack. */
  readonly pool?: WorkerPool;
  /** Called with the addresses, in the turn of the event loop in which serving starts. */
  readonly onServing?: (places: Places) => void;
}

/**
 * The node under the tool service: listening on its own ports, used by this process alone, or none if only
 * other clusters are used.
 */
export type NodePlace = 'listening' | 'portless' | 'none';

/** Where the stack listens. */
export interface Places {
  /** Where the tool service listens, without path; `stdio` where it has no port. */
  readonly serviceUrl: string;
  /** Where the ledger node listens; null where it has no port. */
  readonly ledgerUrl: string | null;
  /** Where the embedded rollup listens; null where it has no port, and where there is none. */
  readonly rollupUrl: string | null;
}

/** The running stack. */
export interface App extends Places {
  readonly version: string;
  /** Absolute path of the data folder; null for a gateway and without a node. */
  readonly dataFolder: string | null;
  /** Genesis mints that its faucet can mint. */
  readonly mints: readonly { readonly name: string; readonly address: string }[];
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
  /** Answers requests in flight, then closes the listeners and the ledger. */
  close(): Promise<void>;
}

/** Methods counted by name; any other counts as unknown. */
const LEDGER_CALLS = [...LEDGER_METHODS, ...SURFNET_METHODS, ...PUBSUB_METHODS, ...VOTE_METHODS].map(
  ({ name }) => name,
);
const ROLLUP_CALLS = [...ROLLUP_METHODS, ...PUBSUB_METHODS].map(({ name }) => name);

/**
 * Starts everything: the ledger, its node, and the tool service on top.
 *
 * @throws {ServiceError} CONFIG_INVALID when a port is taken or a setting cannot work, and what
 *   openLedgerNode throws.
 */
export async function startApp(config: Config, ports: Ports, options: StartOptions): Promise<App> {
  const start = new Start(config, ports, options);
  try {
    return await start.run();
  } catch (error) {
    await start.close();
    throw error;
  }
}

/** The node under the service: the embedded ledger or a gateway. */
interface Node {
  /** Null where there is no node. */
  readonly server: NodeServer | null;
  /** The rollup on top of it; null where there is none. */
  readonly rollup: { readonly server: RpcServer; readonly unreadiness: Readiness } | null;
  /** The cluster `localnet`; null where there is none. */
  readonly localnet: Localnet | null;
  readonly dataFolder: string | null;
  readonly mints: App['mints'];
  readonly warnings: readonly string[];
  readonly unreadiness: Readiness;
}

/** The node where there is none. */
const NO_NODE: Node = {
  server: null,
  rollup: null,
  localnet: null,
  dataFolder: null,
  mints: [],
  warnings: [],
  unreadiness: () => undefined,
};

/** A gateway has no WebSocket. */
type NodeServer = Omit<RpcServer, 'pubsub'> & { readonly pubsub: PubSub | null };

type Readiness = () => Unreadiness | Promise<Unreadiness>;

/** The ports of a node: its own, and its WebSocket's. */
interface NodeListeners {
  readonly rpc: Listener;
  /** Null where the node has no WebSocket. */
  readonly webSocket: Listener | null;
}

/** The listeners of both nodes; null for one that does not listen. */
interface StackListeners {
  readonly ledger: NodeListeners | null;
  readonly rollup: NodeListeners | null;
}

/** Both as socket addresses. Without a second port, upgrades use the port of the node. */
function addressesOf(listeners: NodeListeners | null): NodeAddresses | null {
  if (listeners === null) return null;
  const { rpc, webSocket } = listeners;
  return { rpc: new URL(rpc.url).host, pubsub: new URL((webSocket ?? rpc).url).host };
}

/** One start of the stack, and its end. */
class Start {
  readonly #config: Config;
  readonly #ports: Ports;
  readonly #options: StartOptions;
  readonly #guard: (request: IncomingMessage) => HostVerdict;
  readonly #registry = new Registry();
  /** Servers are drained together; the resources they use are closed after them. */
  readonly #servers: { close(): Promise<void> }[] = [];
  readonly #resources: Resources = [];
  #isClosing = false;

  constructor(config: Config, ports: Ports, options: StartOptions) {
    this.#config = config;
    this.#ports = ports;
    this.#options = options;
    this.#guard = guardOf(config);
    // They run already, and also end with a start that fails.
    if (options.pool !== undefined) this.#servers.push(options.pool);
  }

  async run(): Promise<App> {
    const config = this.#config;
    assertSettings(config);
    this.#resources.push({ close: addProcessMetrics(this.#registry) });
    // Ports are bound first: a ledger must not be deleted for a program that cannot start.
    const { node: place = 'listening' } = this.#options;
    const isListening = place === 'listening';
    const ledgerListeners = isListening ? await this.#listenForLedger() : null;
    const rollupListeners =
      isListening && config.rollup === 'embedded' ? await this.#listenForRollup() : null;
    const tools = await this.#openToolServer();
    this.#servers.push(tools);

    const node =
      place === 'none' ? NO_NODE : await this.#openNode({ ledger: ledgerListeners, rollup: rollupListeners });
    this.#measureHttp(node, ledgerListeners, rollupListeners, tools.listener);
    const toolService = await tools.prepare(node.localnet, this.#probes(node.unreadiness));

    const places = {
      serviceUrl: tools.url,
      ledgerUrl: ledgerListeners?.rpc.url ?? null,
      rollupUrl: rollupListeners?.rpc.url ?? null,
    };
    if (node.server !== null && ledgerListeners !== null) {
      this.#serveNode(node.server, ledgerListeners, node.unreadiness);
    }
    if (node.rollup !== null && rollupListeners !== null) {
      this.#serveNode(node.rollup.server, rollupListeners, node.rollup.unreadiness);
    }
    const isServedEverywhere = toolService.serve();
    this.#options.onServing?.(places);
    await isServedEverywhere;
    return {
      version: SERVER_INFO.version,
      ...places,
      dataFolder: node.dataFolder,
      mints: node.mints,
      warnings: [...warningsOf(config), ...node.warnings],
      close: () => this.close(),
    };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.#servers.map((server) => server.close()));
    await closeResources(this.#resources);
  }

  /** A gateway has no WebSocket and binds no port for one. */
  async #listenForLedger(): Promise<NodeListeners> {
    const config = this.#config;
    if (!isGateway(config)) return await this.#listenForNode('LEDGER_RPC_PORT', config.ledgerRpcPort);
    const rpc = await listen(config, 'LEDGER_RPC_PORT', config.ledgerRpcPort);
    this.#servers.push(rpc);
    return { rpc, webSocket: null };
  }

  #listenForRollup(): Promise<NodeListeners> {
    return this.#listenForNode('ROLLUP_RPC_PORT', this.#config.rollupRpcPort);
  }

  async #listenForNode(variable: string, port: number): Promise<NodeListeners> {
    const [rpc, webSocket] = await listenWithNext(this.#config, variable, port);
    this.#servers.push(rpc, webSocket);
    return { rpc, webSocket };
  }

  async #openNode(listeners: StackListeners): Promise<Node> {
    const observe = createCallMetrics(this.#registry, 'ledger', LEDGER_CALLS);
    return isGateway(this.#config) ? this.#openGateway(observe) : await this.#openLedger(observe, listeners);
  }

  async #openLedger(observe: CallObserver, listeners: StackListeners): Promise<Node> {
    const { reset, provision = NOTHING_PROVIDED } = this.#options;
    const addresses = addressesOf(listeners.ledger);
    const common = { config: this.#config, ports: this.#ports, reset, provision, observe, addresses };
    const options = { ...common, version: SERVER_INFO.version, guard: this.#guard };
    const base = await openLedgerNode(options, this.#resources);
    const { ledger, server, dataFolder, mints, warnings } = base;
    this.#servers.push(server.pubsub);
    addLedgerMetrics(this.#registry, 'ledger', ledger, () => ledger.storeSize());
    addPubsubMetrics(this.#registry, 'ledger', server.pubsub);
    const hasRollup = this.#config.rollup === 'embedded';
    const rollup = hasRollup ? await this.#openRollup(base, listeners.rollup) : null;
    return {
      server,
      rollup: rollup && { server: rollup.server, unreadiness: () => unreadinessOf(ledger, rollup.rollup) },
      localnet: {
        chain: base.chainWith(rollup?.chain ?? this.#findExternalRollup()),
        isFork: provision.fork,
        faucet: ledger,
        onChange(note) {
          for (const each of [ledger, ...(rollup === null ? [] : [rollup.rollup])]) each.subscribe(note);
        },
        isQuiet: () => ledger.isQuiet,
      },
      dataFolder,
      mints,
      warnings,
      unreadiness: () => unreadinessOf(ledger),
    };
  }

  async #openRollup(
    { ledger: base, dataFolder }: LedgerNode,
    listeners: NodeListeners | null,
  ): Promise<RollupNode> {
    const observe = createCallMetrics(this.#registry, 'rollup', ROLLUP_CALLS);
    const place = { url: listeners?.rpc.url ?? null, addresses: addressesOf(listeners) };
    const common = { config: this.#config, ports: this.#ports, base, dataFolder, ...place, observe };
    const options = { ...common, version: SERVER_INFO.version, guard: this.#guard };
    const node = await openRollupNode(options, this.#resources);
    const { rollup, server } = node;
    this.#servers.push(server.pubsub);
    addLedgerMetrics(this.#registry, 'rollup', rollup, () => rollup.storeSize());
    addPubsubMetrics(this.#registry, 'rollup', server.pubsub);
    addSettlementMetrics(this.#registry, () => rollup.settlement);
    return node;
  }

  #findExternalRollup(): Rollup | null {
    // Each worker reaches it by itself.
    if (this.#config.rollup !== 'external' || this.#options.pool !== undefined) return null;
    const { rollup, close } = openExternalRollup(this.#config, this.#ports);
    this.#resources.push({ close });
    return rollup;
  }

  #openGateway(observe: CallObserver): Node {
    const parts = { guard: this.#guard, observe };
    const { handler, inFlight, gateway } = openGatewayNode(this.#config, this.#ports, parts, this.#resources);
    return {
      server: { handler, inFlight, pubsub: null },
      rollup: null,
      localnet: null,
      dataFolder: null,
      mints: [],
      warnings: [],
      unreadiness: () => gateway.unreadiness(),
    };
  }

  #serveNode(
    { handler, pubsub }: NodeServer,
    { rpc, webSocket }: NodeListeners,
    unreadiness: Readiness,
  ): void {
    // Each node has its own rate limit, shared by its two ports.
    const limiter = createRateLimiter(this.#config, this.#ports.clock);
    const findClient = createClientFinder(this.#config.trustedProxies);
    rpc.serve(withProbes(limitRequests(handler, limiter, findClient), this.#probes(unreadiness)));
    if (pubsub !== null) {
      const upgrade = limitUpgrades(pubsub.upgrade, limiter, findClient);
      rpc.onUpgrade(upgrade);
      webSocket?.onUpgrade(upgrade, HTTP_LIMITS.connectionsMax);
    }
    webSocket?.serve(refusePlainHttp);
  }

  #probes(unreadiness: Readiness): ToolProbes & Parameters<typeof withProbes>[1] {
    return {
      guard: this.#guard,
      logger: this.#ports.logger,
      unreadiness: () => (this.#isClosing ? 'draining' : unreadiness()),
      ...(this.#config.metrics && { writeMetrics: () => this.#writeMetrics() }),
    };
  }

  /** The metrics of this process and of the workers. */
  #writeMetrics(): string | Promise<string> {
    const { pool } = this.#options;
    if (pool === undefined) return this.#registry.write();
    return pool.measure().then((workers) => writeMetrics([this.#registry.read(), ...workers]));
  }

  #measureHttp(
    node: Node,
    ledger: NodeListeners | null,
    rollup: NodeListeners | null,
    service: Listener | null,
  ): void {
    addHttpMetrics(this.#registry, [
      ...(ledger === null || node.server === null ? [] : figuresOf('ledger', ledger, node.server)),
      ...(rollup === null || node.rollup === null ? [] : figuresOf('rollup', rollup, node.rollup.server)),
      ...(service === null ? [] : [{ name: 'service', counts: () => service.counts }]),
    ]);
  }

  async #openToolServer(): Promise<ToolServer> {
    const { stdio, pool } = this.#options;
    const options = {
      config: this.#config,
      ports: this.#ports,
      guard: this.#guard,
      resources: this.#resources,
    };
    if (stdio !== undefined) return openStdioServer(stdio, options);
    if (pool === undefined) return await openPortServer(options);
    addWorkerMetrics(this.#registry, pool);
    return await openPoolServer(pool, options);
  }
}

/** The listeners of a node for the metrics. */
function figuresOf(
  name: string,
  { rpc, webSocket }: NodeListeners,
  { inFlight }: Pick<NodeServer, 'inFlight'>,
): ListenerFigures[] {
  return [
    { name, counts: () => rpc.counts, refusedCount: () => inFlight.refused },
    ...(webSocket === null ? [] : [{ name: `${name} websocket`, counts: () => webSocket.counts }]),
  ];
}

function warningsOf({ host, allowedHosts }: Config): string[] {
  if (isLoopback(host) || allowedHosts.length > 0) return [];
  return [
    `HOST ${host} is open to the network and answers to any host name. The ledger's faucet and both services are then anybody's; set ALLOWED_HOSTS, or bind to 127.0.0.1.`,
  ];
}
