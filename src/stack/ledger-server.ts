import { InFlight } from '../http/in-flight.ts';
import type { Unreadiness } from '../http/probes.ts';
import type { RequestHandler } from '../http/server.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createCallMetrics } from '../metrics/call-metrics.ts';
import { addLedgerMetrics, addPubsubMetrics, type LedgerFigures } from '../metrics/ledger-metrics.ts';
import type { NodePrefix } from '../metrics/registry.ts';
import { systemTimer } from '../ports/timer.ts';
import { nodeVersion } from '../rpc/cluster/node-version.ts';
import { PerformanceSampler } from '../rpc/cluster/performance-samples.ts';
import { BATCH_MAX, createDispatcher, type DispatcherOptions } from '../rpc/dispatcher.ts';
import { type LoginRoutes, withLogin } from '../rpc/http/login-handler.ts';
import {
  createReaderDispatchers,
  createRpcHandler,
  type Readership,
  type RpcHandlerOptions,
} from '../rpc/http/rpc-handler.ts';
import { LEDGER_METHODS } from '../rpc/methods/method-table.ts';
import { ROLLUP_METHODS } from '../rpc/methods/rollup/rollup-methods.ts';
import { SURFNET_METHODS } from '../rpc/methods/surfnet/surfnet-methods.ts';
import { createPubSub, type PubSub, PUBSUB_METHODS, type PubSubOptions } from '../rpc/pubsub/pubsub.ts';
import type { RpcMethod, RpcNode } from '../rpc/rpc-method.ts';
import type { NodeContext, NodeEndpoint, Resource } from './node.ts';
import { reportNodeCalls } from './report-calls.ts';

interface ServedLedger {
  /** Prefix of the ledger's metrics. */
  readonly name: NodePrefix;
  readonly ledger: Ledger;
  /** The ledger's metrics. A rollup counts only its own accounts. */
  readonly figures: LedgerFigures;
  /** Further facts for the ledger's methods. */
  readonly node: Pick<RpcNode, 'featureSet' | 'fork' | 'operator' | 'publicUrl'>;
  /** The addresses of the ledger's node; null if it does not listen. */
  readonly endpoint: NodeEndpoint | null;
  readonly calls: ServedMethods;
  /** The privacy of reads. Default: everyone may read everything. */
  readonly privacy?: Privacy;
}

interface ServedMethods {
  readonly methods: readonly RpcMethod[];
  /** Methods hidden from pages of foreign origins. Ignored if the ledger has readers. */
  readonly privateMethods?: readonly RpcMethod[];
}

/** The read permissions of bearer tokens, and the login routes. */
interface Privacy {
  readonly readers: Readership & Required<Pick<PubSubOptions, 'view' | 'isTokenValid'>>;
  readonly logins: LoginRoutes;
}

/** Serves a ledger as a Solana node, and adds its metrics. */
export function createLedgerServer(context: NodeContext, served: ServedLedger): RpcServer {
  const { registry, version, ports, guard, findClient, calls: list } = context;
  const { name, ledger, figures, endpoint, calls, privacy } = served;
  const observe = createCallMetrics(registry, `${name}_rpc`, CALL_NAMES[name]);
  const { clock, logger, timer = systemTimer } = ports;
  const node: RpcNode = {
    ...served.node,
    ledger,
    timer,
    version: nodeVersion(version),
    ...(endpoint && { addresses: endpoint.addresses }),
    performance: new PerformanceSampler(ledger),
  };
  const pubsub = createPubSub({
    node,
    clock,
    timer,
    logger,
    guard,
    findClient,
    observe,
    ...(privacy && { view: privacy.readers.view, isTokenValid: privacy.readers.isTokenValid }),
  });
  addLedgerMetrics(registry, name, figures);
  addPubsubMetrics(registry, name, pubsub);
  const onCall = list && reportNodeCalls(list, name, clock);
  const options = { node, batchMax: BATCH_MAX, logger, observe, ...(onCall && { onCall }) };
  const dispatchers = createDispatchers(options, calls, privacy);
  return createRpcServer(context, {
    answers: { ...dispatchers, isHealthy: () => ledger.isRunning },
    pubsub,
    ...(privacy && { logins: privacy.logins }),
  });
}

/** Creates the dispatchers: by bearer token if there are readers, otherwise by origin. */
function createDispatchers(
  options: Omit<DispatcherOptions, 'methods'>,
  { methods, privateMethods = [] }: ServedMethods,
  privacy: Privacy | undefined,
): Dispatchers {
  if (privacy !== undefined) return createReaderDispatchers({ ...options, methods }, privacy.readers);
  return {
    dispatch: createDispatcher({ ...options, methods: [...methods, ...privateMethods] }),
    dispatchForeign: createDispatcher({ ...options, methods }),
  };
}

type Dispatchers = Pick<RpcHandlerOptions, 'dispatch' | 'dispatchForeign' | 'dispatcherFor'>;

interface Served {
  /** The dispatchers and the health check. */
  readonly answers: Dispatchers & Pick<RpcHandlerOptions, 'isHealthy'>;
  /** The WebSocket server; null without subscriptions. */
  readonly pubsub: PubSub | null;
  /** The login routes, if readers log in. */
  readonly logins?: LoginRoutes;
}

/** JSON-RPC over HTTP and subscriptions over WebSocket. `close` closes the WebSocket connections. */
export interface RpcServer extends Resource {
  readonly handler: RequestHandler;
  readonly pubsub: PubSub | null;
  readonly inFlight: InFlight;
}

/** Creates the server of a node, with the host guard and limits that all nodes share. */
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

/** Methods that metrics count by name. Other methods count as unknown. */
export const CALL_NAMES: Readonly<Record<NodePrefix, readonly string[]>> = {
  ledger: namesOf(LEDGER_METHODS, SURFNET_METHODS, PUBSUB_METHODS),
  rollup: namesOf(ROLLUP_METHODS, PUBSUB_METHODS),
};

function namesOf(...tables: readonly (readonly { readonly name: string }[])[]): readonly string[] {
  return tables.flat().map(({ name }) => name);
}

/** A ledger or rollup whose readiness is checked. */
interface Taker {
  readonly isRunning: boolean;
  /** Settlement intents that wait for an operator. */
  readonly heldIntents?: readonly bigint[];
}

/** Returns the reason why a ledger, or a rollup on top of it, is not ready. */
export function unreadinessOf(ledger: Taker, rollup: Taker = ledger): Unreadiness {
  if (!ledger.isRunning) return 'the ledger accepts no transactions';
  if (!rollup.isRunning) return 'the rollup accepts no transactions';
  // The text omits the number, because it would reveal how many payments there were. The log has it.
  const holds = (rollup.heldIntents ?? []).length > 0;
  return holds ? 'the rollup holds a payment that may have been made' : undefined;
}
