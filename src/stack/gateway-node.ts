import type { Secret } from '../config/secret.ts';
import { createGateway } from '../gateway/gateway.ts';
import { createCallMetrics } from '../metrics/call-metrics.ts';
import type { NodePrefix } from '../metrics/node-prefix.ts';
import { BATCH_MAX } from '../rpc/dispatcher.ts';
import { CALL_NAMES } from './call-names.ts';
import type { NodeContext, StackNode } from './node.ts';
import { createRpcServer } from './rpc-server.ts';

/** Serves the JSON-RPC of a Solana node from the clusters of `LEDGER_UPSTREAM_URL`. It has no WebSocket. */
export function openGatewayNode(context: NodeContext): StackNode {
  const { ledgerUpstreamUrl: urls, ledgerUpstreamMethods: methods } = context.config;
  return openForwardingNode(context, { name: 'ledger', urls, methods });
}

/** What the page asks a rollup besides what every client of a gateway may. */
const PAGE_METHODS = ['getBlock', 'getTransactionCount'];

/**
 * The rollup of `ROLLUP=external` at `EPHEMERAL_RPC_URL`, for the page, which asks its own origin alone. No
 * port serves it, it has no WebSocket, and a token that is sent to it goes no further.
 */
export function openExternalRollupNode(context: NodeContext): StackNode {
  const { ephemeralRpcUrl: urls, ledgerUpstreamMethods } = context.config;
  return openForwardingNode(context, {
    name: 'rollup',
    urls,
    methods: [...ledgerUpstreamMethods, ...PAGE_METHODS],
  });
}

interface Forwarding {
  /** What its calls are counted as. */
  readonly name: NodePrefix;
  readonly urls: Secret<readonly URL[]>;
  /** Forwarded besides the usual ones. */
  readonly methods: readonly string[];
}

function openForwardingNode(context: NodeContext, { name, urls, methods }: Forwarding): StackNode {
  const { ports, registry } = context;
  const gateway = createGateway({
    urls: urls.reveal(),
    methods,
    batchMax: BATCH_MAX,
    ports,
    observe: createCallMetrics(registry, name, CALL_NAMES[name]),
  });
  return {
    server: createRpcServer(context, { answers: { dispatch: gateway.dispatch }, pubsub: null }),
    unreadiness: () => gateway.unreadiness(),
    close: () => gateway.close(),
  };
}
