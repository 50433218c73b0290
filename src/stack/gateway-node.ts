import type { Secret } from '../config/secret.ts';
import { createAllowList } from '../gateway/forwarder.ts';
import { createGateway } from '../gateway/gateway.ts';
import { createCallMetrics } from '../metrics/call-metrics.ts';
import type { NodePrefix } from '../metrics/registry.ts';
import { BATCH_MAX } from '../rpc/dispatcher.ts';
import { CALL_NAMES } from './call-names.ts';
import type { NodeContext, StackNode } from './node.ts';
import { createRpcServer } from './rpc-server.ts';
import { createRateLimiter } from './tool-service.ts';

/** Serves the JSON-RPC of a Solana node from the clusters of `LEDGER_UPSTREAM_URL`. It has no WebSocket. */
export function openGatewayNode(context: NodeContext): StackNode {
  const { ledgerUpstreamUrl: urls, ledgerUpstreamMethods: methods } = context.config;
  return openForwardingNode(context, { name: 'ledger', urls, isAllowed: createAllowList(methods) });
}

/** What the page reads of a ledger. It sends nothing itself: the service sends what wallets have signed. */
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
 * The rollup of `ROLLUP=external` at `EPHEMERAL_RPC_URL`, for the page, which asks its own origin alone and
 * does no more there than it reads, whatever is forwarded to a base ledger. No port serves it, it has no
 * WebSocket, and a token that is sent to it goes no further.
 */
export function openExternalRollupNode(context: NodeContext): StackNode {
  const { ephemeralRpcUrl: urls } = context.config;
  const isAllowed = (method: string): boolean => PAGE_READS.includes(method);
  return openForwardingNode(context, { name: 'rollup', urls, isAllowed });
}

interface Forwarding {
  /** What its calls are counted as. */
  readonly name: NodePrefix;
  readonly urls: Secret<readonly URL[]>;
  /** Whether a method is forwarded. */
  readonly isAllowed: (method: string) => boolean;
}

function openForwardingNode(context: NodeContext, { name, urls, isAllowed }: Forwarding): StackNode {
  const { config, ports, registry } = context;
  const limiter = createRateLimiter(config, ports.clock);
  const gateway = createGateway({
    urls: urls.reveal(),
    isAllowed,
    batchMax: BATCH_MAX,
    limiter,
    ports,
    observe: createCallMetrics(registry, name, CALL_NAMES[name]),
  });
  return {
    server: createRpcServer(context, { answers: { dispatch: gateway.dispatch }, pubsub: null }),
    rateLimiter: limiter,
    unreadiness: () => gateway.unreadiness(),
    close: () => gateway.close(),
  };
}
