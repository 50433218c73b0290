import { isGateway, type Config } from '../config/config.ts';
import type { RpcDoor } from '../console/console.ts';
import { HTTP_LIMITS } from '../http/limits.ts';
import type { Listener } from '../http/listener.ts';
import { withProbes, type ProbesOptions } from '../http/probes.ts';
import type { ListenerFigures } from '../metrics/http-metrics.ts';
import type { NodePrefix } from '../metrics/registry.ts';
import { refusePlainHttp } from '../rpc/pubsub/pubsub.ts';
import type { NodeAddresses } from '../rpc/rpc-node.ts';
import { listen, listenWithNext } from './listening.ts';
import type { NodeEndpoint } from './node.ts';
import type { Resource } from './resources.ts';
import type { RpcServer } from './rpc-server.ts';

/** The ports of a node: its own, and its WebSocket's. They are held before anything is served there. */
export class NodeListeners implements NodeEndpoint, Resource {
  readonly #name: NodePrefix;
  readonly #rpc: Listener;
  /** Null where the node has no WebSocket. */
  readonly #webSocket: Listener | null;

  constructor(name: NodePrefix, rpc: Listener, webSocket: Listener | null) {
    this.#name = name;
    this.#rpc = rpc;
    this.#webSocket = webSocket;
  }

  get url(): string {
    return this.#rpc.url;
  }

  /** Both as socket addresses. Without a second port, upgrades use the port of the node. */
  get addresses(): NodeAddresses {
    return { rpc: new URL(this.url).host, pubsub: new URL((this.#webSocket ?? this.#rpc).url).host };
  }

  /** Serves a node, behind its limit, and its probes from now on. */
  serve({ handler, upgrade }: RpcDoor, probes: ProbesOptions): void {
    this.#rpc.serve(withProbes(handler, probes));
    if (upgrade !== null) {
      this.#rpc.onUpgrade(upgrade);
      this.#webSocket?.onUpgrade(upgrade, HTTP_LIMITS.connectionsMax);
    }
    this.#webSocket?.serve(refusePlainHttp);
  }

  /** The listeners as they are measured. */
  figures({ inFlight }: RpcServer): ListenerFigures[] {
    const [name, rpc, webSocket] = [this.#name, this.#rpc, this.#webSocket];
    return [
      { name, counts: () => rpc.counts, refusedCount: () => inFlight.refused },
      ...(webSocket === null ? [] : [{ name: `${name} websocket`, counts: () => webSocket.counts }]),
    ];
  }

  /** Serves nothing until it serves the next node. */
  pause(): void {
    this.#rpc.pause();
    this.#webSocket?.pause();
  }

  /** Answers what is in flight, then closes both. */
  async close(): Promise<void> {
    await Promise.all([this.#rpc.close(), this.#webSocket?.close()]);
  }
}

/**
 * Takes the ports of the ledger node. A gateway has no WebSocket, so it takes no port for one.
 *
 * @throws {ServiceError} PORT_IN_USE; CONFIG_INVALID when one of them cannot be had for another reason.
 */
export async function listenForLedger(config: Config): Promise<NodeListeners> {
  const { ledgerRpcPort } = config;
  const [rpc, webSocket = null] = isGateway(config)
    ? [await listen(config, 'LEDGER_RPC_PORT', ledgerRpcPort)]
    : await listenWithNext(config, 'LEDGER_RPC_PORT', ledgerRpcPort);
  return new NodeListeners('ledger', rpc, webSocket);
}

/**
 * Takes the ports of the rollup's node.
 *
 * @throws {ServiceError} as {@link listenForLedger}.
 */
export async function listenForRollup(config: Config): Promise<NodeListeners> {
  const [rpc, webSocket] = await listenWithNext(config, 'ROLLUP_RPC_PORT', config.rollupRpcPort);
  return new NodeListeners('rollup', rpc, webSocket);
}
