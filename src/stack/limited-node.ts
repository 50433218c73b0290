import type { RpcDoor } from '../console/rpc-door.ts';
import { limitRequests, limitUpgrades } from '../rpc/http/rate-limit.ts';
import type { NodeContext } from './node.ts';
import type { RpcServer } from './rpc-server.ts';
import { createRateLimiter } from './tool-service.ts';

/** A node behind its rate limit, which is one for all places where it is served. */
export function limitNode(
  { handler, pubsub }: Pick<RpcServer, 'handler' | 'pubsub'>,
  { config, ports, findClient }: NodeContext,
): RpcDoor {
  const limiter = createRateLimiter(config, ports.clock);
  return {
    handler: limitRequests(handler, limiter, findClient),
    upgrade: pubsub && limitUpgrades(pubsub.upgrade, limiter, findClient),
  };
}
