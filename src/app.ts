import { type Config, exposureWarnings } from './config/config.ts';
import { CallLog } from './console/calls/call-log.ts';
import type { RpcDoor, RpcDoors } from './console/console.ts';
import type { Snapshots } from './console/snapshots.ts';
import { createClientFinder } from './http/client-address.ts';
import type { ProbesOptions } from './http/probes.ts';
import type { Listener } from './http/server.ts';
import { addHttpMetrics, addProcessMetrics } from './metrics/process-metrics.ts';
import { Registry } from './metrics/registry.ts';
import { SERVER_INFO } from './service/server-info.ts';
import { openConsole, type OpenedConsole } from './stack/console-server.ts';
import { limitNode } from './stack/gateway-node.ts';
import type { LedgerHome } from './stack/ledger-home.ts';
import {
  guardOf,
  type HeldPorts,
  listenForLedger,
  listenForRollup,
  type NodeListeners,
} from './stack/listening.ts';
import { type NodeContext, type Ports, type Resource, Resources, type StackNode } from './stack/node.ts';
import { type EmbeddedLedgers, NO_NODES, type Nodes, openNodes } from './stack/nodes.ts';
import { assertSettings } from './stack/operations.ts';
import { NOTHING_PROVIDED, type ProvisionOptions } from './stack/provision-options.ts';
import { openSharedState, type SharedState } from './stack/shared-state.ts';
import {
  type Localnet,
  openPortServer,
  openStdioServer,
  type StdioStreams,
  type ToolServer,
} from './stack/tool-server.ts';

/** Options for starting the app. */
export interface StartOptions {
  /** Delete the stored ledger first. */
  readonly reset: boolean;
  /** Storage location of the ledgers. Default: `DATA_DIR`. */
  readonly home?: LedgerHome;
  /** Ports that are already bound. They stay bound for the next stack. */
  readonly heldPorts?: HeldPorts;
  /** Additions to the genesis accounts. Default: none. */
  readonly provision?: ProvisionOptions;
  /** Serve MCP over these streams instead of HTTP. */
  readonly stdio?: StdioStreams;
  /** Whether and how the tool service's node can be reached. Default: `listening`. */
  readonly node?: NodePlace;
  /** The number of this worker process, from 1; null for a single process. */
  readonly worker?: number | null;
  /** Folder of the console. Default: the build output. */
  readonly consoleFolder?: string;
  /** The snapshots that the console offers. */
  readonly snapshots?: Snapshots;
  /** Called with the addresses as soon as serving starts, in the same turn of the event loop. */
  readonly onServing?: (places: Places) => void;
}

/** Whether the node listens on its own ports, serves only this process, or does not exist. */
export type NodePlace = 'listening' | 'portless' | 'none';

/** The addresses of the stack. */
export interface Places {
  /** URL of the tool service, without a path; `stdio` if it has no port. */
  readonly serviceUrl: string;
  /** URL of the ledger node; null if it has no port. */
  readonly ledgerUrl: string | null;
  /** URL of the embedded rollup; null if there is none or it has no port. */
  readonly rollupUrl: string | null;
}

/** The running stack. */
export interface App extends Places {
  readonly version: string;
  /** Absolute path of the data folder; null for ledgers in memory, for a gateway and without a node. */
  readonly dataFolder: string | null;
  /** The ledgers themselves; null for a gateway and without a node. */
  readonly ledgers: EmbeddedLedgers | null;
  /** The cluster `localnet`; null for a gateway and without a node. */
  readonly localnet: Localnet | null;
  /** Layout of the programs of private payments; null for a gateway and without a node. */
  readonly layout: 'a' | 'b' | null;
  /** Genesis mints that the faucet can mint. */
  readonly mints: readonly { readonly name: string; readonly address: string }[];
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
  /** Answers requests in flight, then closes the listeners and the ledger. */
  close(): Promise<void>;
}

/**
 * Starts everything: the ledger, its node, and the tool service on top.
 *
 * @throws {ServiceError} CONFIG_INVALID if a port is in use or a setting is invalid, and the errors of
 *   openLedgerNode.
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

/** The ports of the nodes; null for a node that does not listen. */
interface StackListeners {
  readonly base: NodeListeners | null;
  readonly rollup: NodeListeners | null;
}

/** Starts the stack once and closes it. */
class Start {
  readonly #config: Config;
  readonly #ports: Ports;
  readonly #options: StartOptions;
  readonly #registry: Registry;
  readonly #context: NodeContext;
  /** Servers are drained together. The resources are closed afterwards. */
  readonly #servers: Resource[] = [];
  readonly #resources = new Resources();
  #isClosing = false;

  constructor(config: Config, ports: Ports, options: StartOptions) {
    this.#config = config;
    this.#ports = ports;
    this.#options = options;
    const { worker = null } = options;
    this.#registry = new Registry(worker === null ? {} : { worker: String(worker) });
    this.#context = {
      config,
      ports,
      version: SERVER_INFO.version,
      guard: guardOf(config),
      findClient: createClientFinder(config.trustedProxies),
      registry: this.#registry,
      calls: hasConsole(config, options) ? new CallLog({ logsArguments: config.consoleLogArguments }) : null,
    };
  }

  async run(): Promise<App> {
    assertSettings(this.#config);
    this.#resources.add({ close: addProcessMetrics(this.#registry) });
    // Bind the ports first: a program that cannot start must not delete a ledger.
    const listeners = await this.#takePorts();
    const tools = this.#serves(await this.#openToolServer());
    const nodes = await this.#openNodes(listeners);
    this.#measureHttp(nodes, listeners, tools.listener);
    const places = {
      serviceUrl: tools.url,
      ledgerUrl: listeners.base?.url ?? null,
      rollupUrl: listeners.rollup?.url ?? null,
    };
    const doors = { base: this.#doorOf(nodes.base), rollup: this.#doorOf(nodes.rollup) };
    const shared = this.#resources.add(await openSharedState(this.#config, nodes, this.#ports));
    const console = this.#openConsole(nodes, doors, places, shared);
    const toolService = this.#resources.add(
      await tools.prepare(nodes.localnet, this.#probes(nodes.base), console, shared),
    );
    this.#serveNode(nodes.base, doors.base, listeners.base);
    this.#serveNode(nodes.rollup, doors.rollup, listeners.rollup);
    toolService.serve();
    this.#options.onServing?.(places);
    const { dataFolder, ledgers, localnet, layout, mints, warnings } = nodes;
    return {
      version: SERVER_INFO.version,
      ...places,
      dataFolder,
      ledgers,
      localnet,
      layout,
      mints,
      warnings: [...exposureWarnings(this.#config), ...warnings],
      close: () => this.close(),
    };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.#servers.map((server) => server.close()));
    await this.#resources.close();
  }

  /** Adds a server to be drained. */
  #serves<T extends Resource>(server: T): T {
    this.#servers.push(server);
    return server;
  }

  async #takePorts(): Promise<StackListeners> {
    const { node: place = 'listening', heldPorts } = this.#options;
    if (place !== 'listening') return { base: null, rollup: null };
    if (heldPorts !== undefined) {
      for (const held of [heldPorts.base, heldPorts.rollup]) this.#serves({ close: () => held?.pause() });
      return heldPorts;
    }
    const base = this.#serves(await listenForLedger(this.#config));
    const hasRollup = this.#config.rollup === 'embedded';
    return { base, rollup: hasRollup ? this.#serves(await listenForRollup(this.#config)) : null };
  }

  async #openToolServer(): Promise<ToolServer> {
    const { stdio, heldPorts } = this.#options;
    if (stdio !== undefined) return openStdioServer(stdio, this.#context);
    return await openPortServer(this.#context, heldPorts?.service);
  }

  async #openNodes({ base, rollup }: StackListeners): Promise<Nodes> {
    const { node: place, reset, home, provision = NOTHING_PROVIDED } = this.#options;
    if (place === 'none') return NO_NODES;
    const options = { reset, home, provision, endpoint: base, rollupEndpoint: rollup };
    const nodes = this.#resources.add(await openNodes(this.#context, options));
    for (const node of [nodes.base, nodes.rollup]) if (node !== null) this.#serves(node.server);
    return nodes;
  }

  #doorOf(node: StackNode | null): RpcDoor | null {
    return node && limitNode(node, this.#context);
  }

  #serveNode(node: StackNode | null, door: RpcDoor | null, listeners: NodeListeners | null): void {
    if (door !== null) listeners?.serve(door, this.#probes(node));
  }

  /** The console; null if it is off. */
  #openConsole(
    nodes: Nodes,
    doors: RpcDoors,
    { serviceUrl, ledgerUrl, rollupUrl }: Places,
    { logins: loginStore }: SharedState,
  ): OpenedConsole | null {
    const { calls } = this.#context;
    if (calls === null) return null;
    const urls = { service: serviceUrl, base: ledgerUrl, rollup: rollupUrl };
    const console = openConsole({
      context: this.#context,
      calls,
      nodes,
      doors,
      urls,
      loginStore,
      folder: this.#options.consoleFolder,
      snapshots: this.#options.snapshots,
    });
    const { logins } = console;
    // Close the logins with the servers, because calls that wait for a user would delay the drain.
    if (logins !== null) this.#serves(logins);
    return this.#resources.add(console);
  }

  /** Returns the probes of the node, or of the service if it has no node. */
  #probes(node: StackNode | null): ProbesOptions {
    return {
      guard: this.#context.guard,
      logger: this.#ports.logger,
      unreadiness: () => (this.#isClosing ? 'draining' : node?.unreadiness()),
      ...(this.#config.metrics && { writeMetrics: () => this.#registry.write() }),
    };
  }

  #measureHttp({ base, rollup }: Nodes, listeners: StackListeners, service: Listener | null): void {
    addHttpMetrics(this.#registry, [
      ...((base && listeners.base?.figures(base.server)) ?? []),
      ...((rollup && listeners.rollup?.figures(rollup.server)) ?? []),
      ...(service === null ? [] : [{ name: 'service', counts: () => service.counts }]),
    ]);
  }
}

/** Whether the console is on. Over stdio, there is no console. */
function hasConsole({ console }: Config, { stdio }: StartOptions): boolean {
  return console && stdio === undefined;
}
