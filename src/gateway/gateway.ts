import { createHttpTransport } from '../chain/upstream/http-transport.ts';
import { systemTimer } from '../ports/timer.ts';
import type { UpstreamPorts } from '../chain/upstream/upstream.ts';
import type { ClientDispatcher } from '../rpc/dispatcher.ts';
import { Forwarder } from './forwarder.ts';
import { ForwardingDispatcher, type ForwardingOptions } from './forwarding-dispatcher.ts';
import { Reachability } from './reachability.ts';

/**
 * Open connections to each upstream. Long answers wait on theirs: there are enough for a burst of one client
 * (100 calls by default) beside those of others.
 */
const SOCKETS_MAX = 256;

/** What a gateway is made of. */
export interface GatewayOptions extends ForwardingOptions {
  /** The cluster's URLs in the order in which they are tried. They may carry keys. */
  readonly urls: readonly URL[];
  readonly ports: Pick<UpstreamPorts, 'clock' | 'random' | 'logger'> & Partial<UpstreamPorts>;
}

/** The ledger node as a gateway to a ledger elsewhere. */
export interface Gateway {
  /** Answers bodies as the dispatcher of a ledger node does. */
  readonly dispatch: ClientDispatcher;
  /** Why calls should go elsewhere for now; undefined when an upstream answers. */
  unreadiness(): Promise<string | undefined>;
  /** Drops the connections to the upstreams: for when no call is under way any more. */
  close(): void;
}

/**
 * A gateway forwards calls instead of running them: the text of a call goes out as it came in, and so does
 * the text of its answer. It sorts bodies, batches and notifications as the node with its own ledger does.
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
  const dispatcher = new ForwardingDispatcher(options, forwarder, reachability);
  return {
    dispatch: (body, client) => dispatcher.answerBody(body, client),
    async unreadiness() {
      return (await reachability.isReachable()) ? undefined : 'no upstream answers';
    },
    close: () => ports.transport.close(),
  };
}
