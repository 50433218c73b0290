import type { Ledger } from '../ledger/ledger.ts';
import { createCallMetrics } from '../metrics/call-metrics.ts';
import { addLedgerMetrics, addPubsubMetrics, type LedgerFigures } from '../metrics/ledger-metrics.ts';
import type { NodePrefix } from '../metrics/registry.ts';
import { systemTimer } from '../ports/timer.ts';
import { PerformanceSampler } from '../rpc/cluster/performance-samples.ts';
import { BATCH_MAX, createDispatcher, type DispatcherOptions } from '../rpc/dispatcher.ts';
import type { LoginRoutes } from '../rpc/http/login-handler.ts';
import { createReaderDispatchers, type Readership } from '../rpc/http/rpc-handler.ts';
import { nodeVersion } from '../rpc/cluster/node-version.ts';
import { createPubSub, type PubSubOptions } from '../rpc/pubsub/pubsub.ts';
import type { RpcMethod } from '../rpc/rpc-method.ts';
import type { RpcNode } from '../rpc/rpc-node.ts';
import { CALL_NAMES } from './call-names.ts';
import type { NodeContext, NodeEndpoint } from './node.ts';
import { createRpcServer, type Dispatchers, type RpcServer } from './rpc-server.ts';
import { tellNodeCalls } from './tell-calls.ts';

/** A ledger, and how a node serves it. */
interface ServedLedger {
  /** What the names of its figures begin with. */
  readonly name: NodePrefix;
  readonly ledger: Ledger;
  /** What is measured of it; a rollup measures its own accounts, not those it reads through. */
  readonly figures: LedgerFigures;
  /** What its methods know besides (`RpcNode`). */
  readonly node: Pick<RpcNode, 'featureSet' | 'fork' | 'operator' | 'publicUrl'>;
  /** Where it will listen; null where it does not. */
  readonly endpoint: NodeEndpoint | null;
  readonly calls: ServedMethods;
  /** Who may read what; left out where everybody may read everything. */
  readonly privacy?: Privacy;
}

/** The methods of a node. */
interface ServedMethods {
  readonly methods: readonly RpcMethod[];
  /**
   * Methods hidden from pages of foreign origins, for which the names do not exist. A ledger with readers
   * serves none of them.
   */
  readonly privateMethods?: readonly RpcMethod[];
  /** Whether votes can be subscribed to; not when left out. */
  readonly hasVotes?: boolean;
}

/** What holders of tokens may read of a ledger, and how they get them. */
interface Privacy {
  readonly readers: Readership & Required<Pick<PubSubOptions, 'view' | 'isTokenValid'>>;
  readonly logins: LoginRoutes;
}

/** Serves a ledger as a Solana node, and adds its figures. */
export function createLedgerServer(context: NodeContext, served: ServedLedger): RpcServer {
  const { registry, version, ports, guard, findClient, calls: list } = context;
  const { name, ledger, figures, endpoint, calls, privacy } = served;
  const observe = createCallMetrics(registry, name, CALL_NAMES[name]);
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
    ...(calls.hasVotes !== undefined && { hasVotes: calls.hasVotes }),
    ...(privacy && { view: privacy.readers.view, isTokenValid: privacy.readers.isTokenValid }),
  });
  addLedgerMetrics(registry, name, figures);
  addPubsubMetrics(registry, name, pubsub);
  const onCall = list && tellNodeCalls(list, name, clock);
  const options = { node, batchMax: BATCH_MAX, logger, observe, ...(onCall && { onCall }) };
  const dispatchers = createDispatchers(options, calls, privacy);
  return createRpcServer(context, {
    answers: { ...dispatchers, isHealthy: () => ledger.isRunning },
    pubsub,
    ...(privacy && { logins: privacy.logins }),
  });
}

/**
 * What answers each client: by the token it sends where there are readers, else by the page it comes from.
 */
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
