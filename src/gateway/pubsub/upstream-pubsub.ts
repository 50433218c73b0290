import type { CallLimiter } from '../forwarding-dispatcher.ts';
import { BATCH_MAX, type CallObserver, createDispatcher, type Dispatcher } from '../../rpc/dispatcher.ts';
import { tooManyRequests } from '../../rpc/errors.ts';
import type { Connection } from '../../rpc/pubsub/connection.ts';
import { PUBSUB_LIMITS, type PubSubLimits } from '../../rpc/pubsub/limits.ts';
import type { PubSub } from '../../rpc/pubsub/pubsub.ts';
import { type HandshakeOptions, SocketServer } from '../../rpc/pubsub/socket-server.ts';
import { unsubscribe } from '../../rpc/pubsub/subscription-method.ts';
import type { RpcMethod } from '../../rpc/rpc-method.ts';
import { type UpstreamOptions, UpstreamSubscriptions } from './upstream-subscriptions.ts';

/** Subscriptions that are forwarded by default: those that every Solana node serves. */
const FORWARDED = ['account', 'program', 'logs', 'signature', 'slot', 'root'] as const;
/** Subscriptions that a Solana node serves only if its operator enables them. */
const OPTIONAL = ['block', 'slotsUpdates', 'vote'] as const;

/** Options of {@link createUpstreamPubSub}. */
export interface UpstreamPubSubOptions extends HandshakeOptions, Omit<UpstreamOptions, 'limits'> {
  /** Whether an optional subscription is forwarded, by the name of its method. */
  readonly isAllowed: (method: string) => boolean;
  /** Counts the subscriptions of each client, because each can be a call with the operator's key. */
  readonly limiter?: CallLimiter | undefined;
  readonly observe?: CallObserver;
  readonly limits?: Partial<PubSubLimits>;
}

/** A WebSocket server that forwards subscriptions. */
export interface UpstreamPubSub extends PubSub {
  /** Number of subscriptions to the upstream. */
  readonly upstreamSubscriptions: number;
}

/** Creates the WebSocket server of a gateway. It connects to the upstream at the first subscription. */
export function createUpstreamPubSub(options: UpstreamPubSubOptions): UpstreamPubSub {
  const { isAllowed, limiter, observe, ports } = options;
  const limits = { ...PUBSUB_LIMITS, ...options.limits };
  const upstream = new UpstreamSubscriptions({ ...options, limits });
  const kinds = [...FORWARDED, ...OPTIONAL.filter((kind) => isAllowed(`${kind}Subscribe`))];

  const subscribe = (method: string, connection: Connection): RpcMethod<unknown> => ({
    name: method,
    call: (_node, params) => {
      const verdict = limiter?.take(connection.address);
      if (verdict?.isAllowed === false) throw tooManyRequests(verdict.retryAfterSeconds);
      return upstream.subscribe(connection, method, params ?? []);
    },
  });

  const dispatcherFor = (connection: Connection): Dispatcher =>
    createDispatcher<unknown>({
      node: undefined,
      methods: kinds.flatMap((kind) => [
        subscribe(`${kind}Subscribe`, connection),
        unsubscribe(`${kind}Unsubscribe`).on(connection),
      ]),
      batchMax: BATCH_MAX,
      logger: ports.logger,
      ...(observe && { observe }),
    });

  const server = new SocketServer({
    ...options,
    ...ports,
    limits,
    connections: {
      feeds: upstream,
      // The upstream itself reports past events.
      fanOut: { publishPast: () => {} },
      onSubscriptions: () => {},
      dispatcherFor,
    },
  });
  return {
    upgrade: server.upgrade,
    get connections() {
      return server.connections;
    },
    get subscriptions() {
      return upstream.count;
    },
    get upstreamSubscriptions() {
      return upstream.size;
    },
    async close() {
      await server.close();
      upstream.close();
    },
  };
}
