import { InFlight } from '../http/in-flight.ts';
import type { RequestHandler } from '../http/server.ts';
import { withLogin, type LoginRoutes } from '../rpc/http/login-handler.ts';
import { createRpcHandler, type RpcHandlerOptions } from '../rpc/http/rpc-handler.ts';
import type { PubSub } from '../rpc/pubsub/pubsub.ts';
import type { NodeContext } from './node.ts';
import type { Resource } from './resources.ts';

/** What answers the calls of each client. */
export type Dispatchers = Pick<RpcHandlerOptions, 'dispatch' | 'dispatchForeign' | 'dispatcherFor'>;

/** What a node answers its clients from. */
interface Served {
  /** What answers calls, and tells whether the node is healthy. */
  readonly answers: Dispatchers & Pick<RpcHandlerOptions, 'isHealthy'>;
  /** Null where there are no subscriptions. */
  readonly pubsub: PubSub | null;
  /** Given where readers log in. */
  readonly logins?: LoginRoutes;
}

/**
 * JSON-RPC over HTTP and subscriptions over WebSocket. `close` says goodbye to the clients of the WebSocket.
 */
export interface RpcServer extends Resource {
  readonly handler: RequestHandler;
  readonly pubsub: PubSub | null;
  readonly inFlight: InFlight;
}

/** Serves what a node answers, behind the guard and within the limits that every node has. */
export function createRpcServer(
  { config, ports, guard, findClient }: NodeContext,
  { answers, pubsub, logins }: Served,
): RpcServer {
  const inFlight = new InFlight();
  const handler = createRpcHandler({
    ...answers,
    bodyBytesMax: config.ledgerRequestBytesMax,
    guard,
    inFlight,
    findClient,
    logger: ports.logger,
  });
  return {
    handler: logins === undefined ? handler : withLogin(handler, { logins, guard }),
    pubsub,
    inFlight,
    close: async () => pubsub?.close(),
  };
}
