import type { IncomingMessage } from 'node:http';
import type { ClientFinder } from '../http/forwarded-client.ts';
import { InFlight } from '../http/in-flight.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import type { RequestHandler } from '../http/server.ts';
import { BATCH_MAX, createDispatcher, type CallObserver, type Dispatcher } from '../rpc/dispatcher.ts';
import { createRpcHandler } from '../rpc/http/rpc-handler.ts';
import { createPubSub, type PubSub } from '../rpc/pubsub/pubsub.ts';
import type { RpcMethod } from '../rpc/rpc-method.ts';
import type { RpcNode } from '../rpc/rpc-node.ts';
import { systemTimer } from '../ports/timer.ts';
import type { Ports } from './ports.ts';

/** What {@link createRpcServer} needs. */
interface RpcServerOptions {
  readonly node: RpcNode;
  readonly methods: readonly RpcMethod[];
  /** Methods hidden from pages of foreign origins, for which the names do not exist. */
  readonly privateMethods: readonly RpcMethod[];
  readonly bodyBytesMax: number;
  /** Whether votes can be subscribed to; not when left out. */
  readonly hasVotes?: boolean;
  readonly guard: (request: IncomingMessage) => HostVerdict;
  /** Whose a request is; by default that of the connection's address. */
  readonly findClient?: ClientFinder;
  /** Called for every call. */
  readonly observe: CallObserver;
  readonly ports: Ports;
}

/** JSON-RPC over HTTP and subscriptions over WebSocket. */
export interface RpcServer {
  readonly handler: RequestHandler;
  readonly pubsub: PubSub;
  readonly inFlight: InFlight;
}

/** Serves a ledger as a Solana node. */
export function createRpcServer(options: RpcServerOptions): RpcServer {
  const { node, methods, privateMethods, bodyBytesMax, guard, observe, ports, findClient, hasVotes } =
    options;
  const { clock, logger } = ports;
  const inFlight = new InFlight();
  const dispatcherOf = (served: readonly RpcMethod[]): Dispatcher =>
    createDispatcher({ node, methods: served, batchMax: BATCH_MAX, logger, observe });
  return {
    handler: createRpcHandler({
      dispatch: dispatcherOf([...methods, ...privateMethods]),
      dispatchForeign: dispatcherOf(methods),
      isHealthy: () => node.ledger.isRunning,
      bodyBytesMax,
      guard,
      inFlight,
      ...(findClient && { findClient }),
      logger,
    }),
    pubsub: createPubSub({
      node,
      clock,
      timer: systemTimer,
      logger,
      guard,
      ...(findClient && { findClient }),
      observe,
      ...(hasVotes !== undefined && { hasVotes }),
    }),
    inFlight,
  };
}
