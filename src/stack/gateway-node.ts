import { upstreamWebSockets } from '../config/config.ts';
import type { Secret } from '../config/secret.ts';
import type { RpcDoor } from '../console/console.ts';
import { createAllowList } from '../gateway/forwarder.ts';
import { createGateway } from '../gateway/gateway.ts';
import { createUpstreamPubSub } from '../gateway/pubsub/upstream-pubsub.ts';
import { UrlKeys } from '../gateway/upstream-answer.ts';
import { createCallMetrics } from '../metrics/call-metrics.ts';
import { addPubsubMetrics, addUpstreamPubsubMetrics } from '../metrics/ledger-metrics.ts';
import type { NodePrefix } from '../metrics/registry.ts';
import { systemTimer } from '../ports/timer.ts';
import { BATCH_MAX } from '../rpc/dispatcher.ts';
import { limitRequests, limitUpgrades } from '../rpc/http/rate-limit.ts';
import { CALL_NAMES, createRpcServer, type RpcServer } from './ledger-server.ts';
import type { NodeContext, StackNode } from './node.ts';
import { createRateLimiter } from './tool-server.ts';

/** Opens a node that forwards calls and subscriptions to the cluster of `LEDGER_UPSTREAM_URL`. */
export function openGatewayNode(context: NodeContext): StackNode {
  const { ledgerUpstreamUrl: urls, ledgerUpstreamMethods: methods } = context.config;
  const webSockets = upstreamWebSockets(context.config);
  return openForwardingNode(context, {
    name: 'ledger',
    urls,
    webSockets,
    isAllowed: createAllowList(methods),
  });
}

/** The methods that the console calls. The console only reads: the service sends signed transactions. */
export const PAGE_READS: readonly string[] = [
  'getAccountInfo',
  'getBlock',
  'getBlockHeight',
  'getEpochInfo',
  'getSignatureStatuses',
  'getSignaturesForAddress',
  'getTransaction',
  'getTransactionCount',
];

/**
 * Opens a node that forwards the console's reads to the external rollup at `EPHEMERAL_RPC_URL`, because the
 * console can only call its own origin. It forwards no tokens and has no port and no WebSocket.
 */
export function openExternalRollupNode(context: NodeContext): StackNode {
  const { ephemeralRpcUrl: urls } = context.config;
  const isAllowed = (method: string): boolean => PAGE_READS.includes(method);
  return openForwardingNode(context, { name: 'rollup', urls, webSockets: null, isAllowed });
}

/** The client of reads that this process itself makes. */
const THIS_PROCESS = { address: '', isGone: () => false };

interface Forwarding {
  /** Prefix of the node's metrics. */
  readonly name: NodePrefix;
  readonly urls: Secret<readonly URL[]>;
  /** The URLs for subscriptions, which may carry keys; null to forward none. */
  readonly webSockets: readonly URL[] | null;
  /** Whether a method is forwarded. */
  readonly isAllowed: (method: string) => boolean;
}

function openForwardingNode(context: NodeContext, forwarding: Forwarding): StackNode {
  const { config, ports, registry } = context;
  const { name, urls, webSockets, isAllowed } = forwarding;
  const limiter = createRateLimiter(config, ports.clock);
  const observe = createCallMetrics(registry, `${name}_rpc`, CALL_NAMES[name]);
  const shared = { isAllowed, limiter, observe };
  const gateway = createGateway({ urls: urls.reveal(), batchMax: BATCH_MAX, ports, ...shared });
  const pubsub =
    webSockets &&
    createUpstreamPubSub({
      urls: webSockets,
      keys: new UrlKeys([...urls.reveal(), ...webSockets]),
      read: async (body) => String(await gateway.dispatch(body, THIS_PROCESS)),
      guard: context.guard,
      findClient: context.findClient,
      ports: { timer: systemTimer, ...ports },
      ...shared,
    });
  if (pubsub !== null) {
    addPubsubMetrics(registry, name, pubsub);
    addUpstreamPubsubMetrics(registry, name, pubsub);
  }
  return {
    server: createRpcServer(context, { answers: { dispatch: gateway.dispatch }, pubsub }),
    rateLimiter: limiter,
    unreadiness: () => gateway.unreadiness(),
    close: () => gateway.close(),
  };
}

/** The parts of a node that are rate limited. */
interface LimitedNode extends Pick<StackNode, 'rateLimiter'> {
  readonly server: Pick<RpcServer, 'handler' | 'pubsub'>;
}

/** Puts a node behind its rate limit, which all its doors share. */
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
