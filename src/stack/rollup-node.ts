import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.ts';
import { createClientFinder } from '../http/forwarded-client.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import { InFlight } from '../http/in-flight.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { withFields } from '../ports/logger.ts';
import { systemTimer } from '../ports/timer.ts';
import { createRollupAuth } from '../rollup/auth/local-rollup-auth.ts';
import { LoginService } from '../rollup/auth/login-service.ts';
import { createLoginRoutes } from '../rollup/auth/login-routes.ts';
import { TokenReaders } from '../rollup/auth/token-readers.ts';
import { openRollup } from '../rollup/open-rollup.ts';
import { INTERNAL } from '../rollup/privacy/guard.ts';
import { Guards } from '../rollup/privacy/guards.ts';
import { HistoryNames } from '../rollup/privacy/history-names.ts';
import { PrivateViews } from '../rollup/privacy/private-views.ts';
import { RollupChain } from '../rollup/rollup-chain.ts';
import { ROLLUP_BOOKS } from '../rollup/settlement/rollup-books.ts';
import { isAdmitted } from '../rollup/validator-accounts.ts';
import { rollupValidatorOf } from '../rollup/validator-key.ts';
import type { EmbeddedRollup } from '../rollup/rollup.ts';
import { BATCH_MAX, type CallObserver } from '../rpc/dispatcher.ts';
import { withLogin } from '../rpc/http/login-handler.ts';
import { createReaderDispatchers } from '../rpc/http/reader-dispatchers.ts';
import { createRpcHandler } from '../rpc/http/rpc-handler.ts';
import { ROLLUP_METHODS } from '../rpc/methods/rollup/rollup-methods.ts';
import { featureSetOf, nodeVersion } from '../rpc/node-version.ts';
import type { NodeAddresses } from '../rpc/rpc-node.ts';
import { createPubSub } from '../rpc/pubsub/pubsub.ts';
import { PerformanceSampler } from '../rpc/transactions/performance-samples.ts';
import type { Resources } from './resources.ts';
import { rollupFolder } from './ledger-node.ts';
import type { Ports } from './ports.ts';
import type { RpcServer } from './rpc-server.ts';

/** What {@link openRollupNode} needs. */
interface RollupNodeOptions {
  readonly config: Config;
  readonly ports: Ports;
  readonly base: EmbeddedLedger;
  /** The folder of the base ledger, which contains that of the rollup. */
  readonly dataFolder: string;
  /** The URL of its node; null where it has no port. */
  readonly url: string | null;
  /** The addresses of its node; null where it does not listen. */
  readonly addresses: NodeAddresses | null;
  /** Version of the program. */
  readonly version: string;
  readonly guard: (request: IncomingMessage) => HostVerdict;
  readonly observe: CallObserver;
}

/** The embedded rollup, with the chain for the operations and the server for clients. */
export interface RollupNode {
  readonly rollup: EmbeddedRollup;
  /** The rollup of the cluster `localnet`. */
  readonly chain: RollupChain;
  readonly server: RpcServer;
}

/**
 * Opens the rollup on top of a base ledger, with its login service. What it opens is added to `resources`.
 *
 * @throws {ServiceError} what openRollup throws.
 */
export async function openRollupNode(options: RollupNodeOptions, resources: Resources): Promise<RollupNode> {
  const { config, ports, base, dataFolder, url } = options;
  const guards = new Guards(base, [[ROLLUP_BOOKS, INTERNAL]]);
  resources.push(guards);
  const names = new HistoryNames(base.secretFor('rollup history'), guards);
  const validator = rollupValidatorOf(base);
  const rollup = await openRollup({
    base,
    validator,
    // Base admits a validator only after its rollup is on disk, so an admitted one without files means
    // damage.
    place: {
      folder: rollupFolder(dataFolder),
      transactionsMax: config.ledgerHistoryMax,
      mustExist: isAdmitted(base, validator.address),
    },
    accountsBytesMax: config.ledgerAccountsBytesMax,
    ...ports,
    logger: withFields(ports.logger, { ledger: 'rollup' }),
    listedUnder: names.namesOf,
  });
  resources.push(rollup);
  const views = new PrivateViews(rollup, guards, names);
  const logins = new LoginService({
    secret: base.secretFor('rollup bearer tokens'),
    clock: ports.clock,
    readersOf: (account) => views.readersOf(account),
  });
  const readers = new TokenReaders(logins, views);
  return {
    rollup,
    chain: new RollupChain({ rollup, readers, auth: createRollupAuth(logins), publicUrl: url }),
    server: createServer(options, { rollup, readers, logins }),
  };
}

function createServer(
  { config, ports, base, url, addresses, version, guard, observe }: RollupNodeOptions,
  parts: { readonly rollup: EmbeddedRollup; readonly readers: TokenReaders; readonly logins: LoginService },
): RpcServer {
  const { rollup, readers, logins } = parts;
  const { clock, logger } = ports;
  const inFlight = new InFlight();
  const node = {
    ledger: rollup,
    version: nodeVersion(version),
    featureSet: featureSetOf(base),
    ...(addresses && { addresses }),
    ...(url !== null && { publicUrl: url }),
    performance: new PerformanceSampler(rollup),
  };
  const dispatchers = createReaderDispatchers(
    { node, methods: ROLLUP_METHODS, batchMax: BATCH_MAX, logger, observe },
    readers,
  );
  const bodyBytesMax = config.ledgerRequestBytesMax;
  const isHealthy = (): boolean => rollup.isRunning;
  const findClient = createClientFinder(config.trustedProxies);
  const handler = createRpcHandler({
    ...dispatchers,
    isHealthy,
    bodyBytesMax,
    guard,
    inFlight,
    findClient,
    logger,
  });
  const { view, isTokenGood } = readers;
  return {
    handler: withLogin(handler, { logins: createLoginRoutes(logins), guard }),
    pubsub: createPubSub({
      node,
      clock,
      timer: systemTimer,
      logger,
      guard,
      findClient,
      observe,
      view,
      isTokenGood,
    }),
    inFlight,
  };
}
