import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.ts';
import type { RpcDoor } from '../console/console.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createHostGuard, type HostVerdict } from '../http/host-guard.ts';
import { HTTP_LIMITS } from '../http/limits.ts';
import { type ProbesOptions, withProbes } from '../http/probes.ts';
import { type Listener, openListener } from '../http/server.ts';
import type { ListenerFigures } from '../metrics/process-metrics.ts';
import type { NodePrefix } from '../metrics/registry.ts';
import { refusePlainHttp } from '../rpc/pubsub/socket-server.ts';
import type { NodeAddresses } from '../rpc/rpc-method.ts';
import type { RpcServer } from './ledger-server.ts';
import { type NodeEndpoint, type Resource, Resources } from './node.ts';

/** Maximum number of port pairs to try. */
const PAIR_ATTEMPTS_MAX = 32;

/** Creates the host guard of the settings. It also allows the pages of `PUBLIC_URL`. */
export function guardOf(config: Config): (request: IncomingMessage) => HostVerdict {
  const { host, allowedHosts, allowedOrigins, publicUrl } = config;
  const origins = publicUrl === null ? allowedOrigins : [...allowedOrigins, publicUrl];
  return createHostGuard({ boundHost: host, allowedHosts, allowedOrigins: origins });
}

/**
 * Binds the port from the setting `variable`.
 *
 * @throws {ServiceError} PORT_IN_USE; CONFIG_INVALID if the port cannot be bound for another reason.
 */
export async function listen(config: Config, variable: string, port: number): Promise<Listener> {
  const { host, connectionsPerAddress } = config;
  try {
    return await openListener(host, port, connectionsPerAddress);
  } catch (error) {
    throw explain(error, host, variable, port);
  }
}

/**
 * Binds the port from the setting `variable` and the next one, where Solana clients expect the WebSocket. For
 * port 0 it finds two adjacent free ports.
 *
 * @throws {ServiceError} PORT_IN_USE; CONFIG_INVALID if one of them cannot be bound for another reason.
 */
async function listenWithNext(
  config: Config,
  variable: string,
  port: number,
): Promise<readonly [Listener, Listener]> {
  for (let attempt = 1; ; attempt += 1) {
    const first = await listen(config, variable, port);
    try {
      return [first, await openListener(config.host, first.port + 1, config.connectionsPerAddress)];
    } catch (error) {
      await first.close();
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE' || first.port === 65_535;
      if (port === 0 && isTaken && attempt < PAIR_ATTEMPTS_MAX) continue;
      throw explain(error, config.host, `The port after ${variable},`, first.port + 1);
    }
  }
}

function explain(error: unknown, host: string, variable: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EADDRINUSE: `${variable} ${port} is in use on ${host}: stop the other program or choose another port (0 picks a free one)`,
    EACCES: `${variable} ${port} is not open to this user: choose a port above 1023`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine: choose another one`,
    ENOTFOUND: `HOST ${host} cannot be resolved: choose an address of this machine`,
  };
  const reason = code === undefined ? undefined : reasons[code];
  if (reason === undefined) return error;
  const kind = code === 'EADDRINUSE' ? 'PORT_IN_USE' : 'CONFIG_INVALID';
  return new ServiceError(kind, reason, {}, { cause: error as Error });
}

/** The ports of a node and its WebSocket. They are bound before anything is served. */
export class NodeListeners implements NodeEndpoint, Resource {
  readonly #name: NodePrefix;
  readonly #rpc: Listener;
  readonly #webSocket: Listener;

  constructor(name: NodePrefix, rpc: Listener, webSocket: Listener) {
    this.#name = name;
    this.#rpc = rpc;
    this.#webSocket = webSocket;
  }

  get url(): string {
    return this.#rpc.url;
  }

  /** The socket addresses of both ports. */
  get addresses(): NodeAddresses {
    return { rpc: new URL(this.url).host, pubsub: new URL(this.#webSocket.url).host };
  }

  /** Starts serving a node and its probes. */
  serve({ handler, upgrade }: RpcDoor, probes: ProbesOptions): void {
    this.#rpc.serve(withProbes(handler, probes));
    if (upgrade !== null) {
      this.#rpc.onUpgrade(upgrade);
      this.#webSocket.onUpgrade(upgrade, HTTP_LIMITS.connectionsMax);
    }
    this.#webSocket.serve(refusePlainHttp);
  }

  /** Returns the metrics of the listeners. */
  figures({ inFlight }: RpcServer): ListenerFigures[] {
    const [name, rpc, webSocket] = [this.#name, this.#rpc, this.#webSocket];
    return [
      { name, counts: () => rpc.counts, refusedCount: () => inFlight.refused },
      { name: `${name} websocket`, counts: () => webSocket.counts },
    ];
  }

  /** Stops serving until the next `serve`. */
  pause(): void {
    this.#rpc.pause();
    this.#webSocket.pause();
  }

  /** Answers the requests in flight, then closes both ports. */
  async close(): Promise<void> {
    await Promise.all([this.#rpc.close(), this.#webSocket.close()]);
  }
}

/**
 * Binds the ports of the ledger node.
 *
 * @throws {ServiceError} PORT_IN_USE; CONFIG_INVALID if a port cannot be bound for another reason.
 */
export async function listenForLedger(config: Config): Promise<NodeListeners> {
  const [rpc, webSocket] = await listenWithNext(config, 'LEDGER_RPC_PORT', config.ledgerRpcPort);
  return new NodeListeners('ledger', rpc, webSocket);
}

/**
 * Binds the ports of the rollup's node.
 *
 * @throws {ServiceError} as {@link listenForLedger}.
 */
export async function listenForRollup(config: Config): Promise<NodeListeners> {
  const [rpc, webSocket] = await listenWithNext(config, 'ROLLUP_RPC_PORT', config.rollupRpcPort);
  return new NodeListeners('rollup', rpc, webSocket);
}

/** Open ports that outlive a stack. The next stack serves on them. */
export interface HeldPorts extends Resource {
  readonly service: Listener;
  readonly base: NodeListeners;
  /** The ports of the rollup's node; null without an embedded rollup. */
  readonly rollup: NodeListeners | null;
  /** Answers the requests in flight, then closes all listeners. */
  close(): Promise<void>;
}

/**
 * Binds the ports of the settings.
 *
 * @throws {ServiceError} PORT_IN_USE; CONFIG_INVALID if a port cannot be bound for another reason.
 */
export function holdPorts(config: Config): Promise<HeldPorts> {
  return Resources.open(async (resources) => {
    const service = resources.add(await listen(config, 'PORT', config.port));
    const base = resources.add(await listenForLedger(config));
    const rollup = config.rollup === 'embedded' ? resources.add(await listenForRollup(config)) : null;
    return {
      service,
      base,
      rollup,
      close: async () => {
        await Promise.all([service.close(), base.close(), rollup?.close()]);
      },
    };
  });
}
