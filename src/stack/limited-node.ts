import type { RpcDoor } from '../console/console.ts';
import { limitRequests, limitUpgrades } from '../rpc/http/rate-limit.ts';
import type { NodeContext, StackNode } from './node.ts';
import type { RpcServer } from './rpc-server.ts';
import { createRateLimiter } from './tool-service.ts';

/** What of a node is behind its rate limit. */
interface LimitedNode extends Pick<StackNode, 'rateLimiter'> {
  readonly server: Pick<RpcServer, 'handler' | 'pubsub'>;
}

/** A node behind its rate limit, which is one for all places where it is served. */
export function limitNode(
  { server: { handler, pubsub }, rateLimiter }: LimitedNode,
  { config, ports, findClient }: NodeContext,
): RpcDoor {
  const limiter = rateLimiter ?? createRateLimiter(config, ports.clock);
  return {
    handler: limitRequests(handler, limiter, findClient),
    upgrade: pubsub && limitUpgrades(pubsub.upgrade, limiter, findClient),
  };
}
