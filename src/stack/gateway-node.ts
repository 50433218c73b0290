import { createGateway } from '../gateway/gateway.ts';
import { createCallMetrics } from '../metrics/call-metrics.ts';
import { BATCH_MAX } from '../rpc/dispatcher.ts';
import { CALL_NAMES } from './call-names.ts';
import type { NodeContext, StackNode } from './node.ts';
import { createRpcServer } from './rpc-server.ts';

/** Serves the JSON-RPC of a Solana node from the clusters of `LEDGER_UPSTREAM_URL`. It has no WebSocket. */
export function openGatewayNode(context: NodeContext): StackNode {
  const { config, ports, registry } = context;
  const gateway = createGateway({
    urls: config.ledgerUpstreamUrl.reveal(),
    methods: config.ledgerUpstreamMethods,
    batchMax: BATCH_MAX,
    ports,
    observe: createCallMetrics(registry, 'ledger', CALL_NAMES.ledger),
  });
  return {
    server: createRpcServer(context, { answers: { dispatch: gateway.dispatch }, pubsub: null }),
    unreadiness: () => gateway.unreadiness(),
    close: () => gateway.close(),
  };
}
