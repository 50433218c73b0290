import { createHttpTransport } from '../chain/upstream/transport.ts';
import type { UpstreamPorts } from '../chain/upstream/upstream.ts';
import type { Clock } from '../ports/clock.ts';
import { systemTimer } from '../ports/timer.ts';
import type { ClientDispatcher } from '../rpc/dispatcher.ts';
import { Forwarder } from './forwarder.ts';
import { ForwardingDispatcher, type ForwardingOptions } from './forwarding-dispatcher.ts';

/**
 * Maximum number of open connections to each upstream. Long answers wait on their connections, so the limit
 * must allow a burst from one client (100 calls by default) in addition to calls from others.
 */
const SOCKETS_MAX = 256;

/** Options of a gateway. */
export interface GatewayOptions extends ForwardingOptions {
  /** The cluster's URLs in the order in which they are tried. They may carry keys. */
  readonly urls: readonly URL[];
  readonly ports: Pick<UpstreamPorts, 'clock' | 'random' | 'logger'> & Partial<UpstreamPorts>;
}

/** A ledger node that forwards calls to another node. */
export interface Gateway {
  /** Answers bodies like the dispatcher of a ledger node. */
  readonly dispatch: ClientDispatcher;
  /** Returns the reason why the gateway is not ready; undefined if an upstream answers. */
  unreadiness(): Promise<string | undefined>;
  /** Closes the connections to the upstreams. Call it when no call is in progress. */
  close(): void;
}

/**
 * Creates a gateway, which forwards calls instead of executing them. It does not change the text of calls and
 * answers. It handles batches and notifications like a node with its own ledger.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const transport = createHttpTransport(undefined, undefined, SOCKETS_MAX);
  const ports = { transport, timer: systemTimer, ...options.ports };
  const forwarder = new Forwarder(options.urls, ports);
  const reachability = new Reachability(ports.clock, () =>
    forwarder.forward({ method: 'getHealth', id: 1n }, '{"jsonrpc":"2.0","id":1,"method":"getHealth"}', {
      address: '',
      isGone: () => false,
    }),
  );
  const dispatcher = new ForwardingDispatcher(options, forwarder);
  return {
    dispatch: (body, client) => dispatcher.answerBody(body, client),
    async unreadiness() {
      return (await reachability.isReachable()) ? undefined : 'no upstream answers';
    },
    close: () => ports.transport.close(),
  };
}

/** Time for which the result of a probe is valid, in ms. */
const PROBE_MS = 2_000;

/** Tracks whether an upstream answers. Callers within {@link PROBE_MS} share one probe. */
export class Reachability {
  readonly #clock: Clock;
  readonly #probe: () => Promise<unknown>;
  #probedAt = -Infinity;
  #isReachable = Promise.resolve(false);

  /** @param probe rejects if no upstream answers. */
  constructor(clock: Clock, probe: () => Promise<unknown>) {
    this.#clock = clock;
    this.#probe = probe;
  }

  isReachable(): Promise<boolean> {
    const ageMs = this.#clock.now() - this.#probedAt;
    // The clock may have been set back.
    if (ageMs >= 0 && ageMs < PROBE_MS) return this.#isReachable;
    this.#probedAt = this.#clock.now();
    this.#isReachable = this.#probe().then(
      () => true,
      () => false,
    );
    return this.#isReachable;
  }
}
