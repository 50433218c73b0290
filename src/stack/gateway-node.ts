import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.ts';
import { createGateway, type Gateway } from '../gateway/gateway.ts';
import { createClientFinder } from '../http/forwarded-client.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import { InFlight } from '../http/in-flight.ts';
import type { RequestHandler } from '../http/server.ts';
import { BATCH_MAX, type CallObserver } from '../rpc/dispatcher.ts';
import { createRpcHandler } from '../rpc/http/rpc-handler.ts';
import type { Resources } from './resources.ts';
import type { Ports } from './ports.ts';

/** A node that forwards to a ledger elsewhere. It has no WebSocket. */
interface GatewayNode {
  readonly handler: RequestHandler;
  readonly inFlight: InFlight;
  readonly gateway: Gateway;
}

/** Serves the JSON-RPC of a Solana node from the clusters of `LEDGER_UPSTREAM_URL`. */
export function openGatewayNode(
  config: Config,
  ports: Ports,
  {
    guard,
    observe,
  }: {
    readonly guard: (request: IncomingMessage) => HostVerdict;
    readonly observe: CallObserver;
  },
  resources: Resources,
): GatewayNode {
  const inFlight = new InFlight();
  const gateway = createGateway({
    urls: config.ledgerUpstreamUrl.reveal(),
    methods: config.ledgerUpstreamMethods,
    batchMax: BATCH_MAX,
    ports,
    observe,
  });
  resources.push(gateway);
  const { dispatch } = gateway;
  const bodyBytesMax = config.ledgerRequestBytesMax;
  const { logger } = ports;
  const findClient = createClientFinder(config.trustedProxies);
  return {
    handler: createRpcHandler({ dispatch, bodyBytesMax, guard, inFlight, findClient, logger }),
    inFlight,
    gateway,
  };
}
