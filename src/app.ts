import { resolve } from 'node:path';
import { Clusters } from './chain/clusters.ts';
import type { Config } from './config/config.ts';
import { ServiceError } from './errors/service-error.ts';
import { createHostGuard, isLoopback } from './http/host-guard.ts';
import { startHttpServer, type HttpServer, type RequestHandler } from './http/server.ts';
import { localGenesis } from './ledger/genesis/local-genesis.ts';
import { LedgerChain } from './ledger/ledger-chain.ts';
import type { Ledger } from './ledger/ledger.ts';
import { openLedger } from './ledger/open-ledger.ts';
import { resetLedgerFolder } from './ledger/store/ledger-folder.ts';
import { createDeposit } from './payments/deposit.ts';
import { createGetBalance } from './payments/get-balance.ts';
import type { Operation } from './payments/operation.ts';
import type { Clock } from './ports/clock.ts';
import type { Logger } from './ports/logger.ts';
import type { Random } from './ports/random.ts';
import { LOCALNET_VALIDATOR, USDC_DEVNET_MINT, USDC_MINT } from './programs/addresses.ts';
import { BATCH_MAX, createDispatcher } from './rpc/dispatcher.ts';
import { createRpcHandler } from './rpc/http/rpc-handler.ts';
import { LEDGER_METHODS } from './rpc/methods/method-table.ts';
import { FEATURE_SET, nodeVersion } from './rpc/node-version.ts';
import { SERVER_INFO } from './service/server-info.ts';
import { createServiceHandler } from './service/service-handler.ts';

/** What the whole stack gets from outside. */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** The stack, running. */
export interface App {
  readonly version: string;
  /** Where the tool service listens, without path. */
  readonly serviceUrl: string;
  /** Where the ledger node listens. */
  readonly ledgerUrl: string;
  /** Absolute path of the folder the ledger is kept in. */
  readonly dataFolder: string;
  /** Mints the ledger was made with and its faucet can give out. */
  readonly mints: readonly { readonly name: string; readonly address: string }[];
  /** What the operator should know of the settings. */
  readonly warnings: readonly string[];
  /** Answers what is in flight, then closes both listeners and the ledger. */
  close(): Promise<void>;
}

/**
 * Starts everything: the ledger, its node, and the tool service on top.
 *
 * @throws {ServiceError} CONFIG_INVALID when a port is taken, and what {@link openLedger} throws.
 */
export async function startApp(
  config: Config,
  ports: Ports,
  options: { readonly reset: boolean },
): Promise<App> {
  const dataFolder = resolve(config.dataDir);
  if (options.reset) resetLedgerFolder(dataFolder);
  const ledger = await openLedger({
    place: { folder: dataFolder },
    ...ports,
    genesis: localGenesis(BigInt(config.faucetSol) * 1_000_000_000n),
  });
  const servers: HttpServer[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()));
    await ledger.close();
  };
  try {
    const node = await listen(
      config,
      'LEDGER_RPC_PORT',
      config.ledgerRpcPort,
      ledgerHandler(config, ledger, ports),
    );
    servers.push(node);
    const chain = new LedgerChain(config.cluster, ledger, LOCALNET_VALIDATOR);
    const operations = createOperations(new Clusters([chain]));
    const service = await listen(config, 'PORT', config.port, serviceHandler(config, operations, ports));
    servers.push(service);
    return {
      version: SERVER_INFO.version,
      serviceUrl: service.url,
      ledgerUrl: node.url,
      dataFolder,
      mints: [
        { name: 'USDC (6 decimals)', address: USDC_MINT },
        { name: 'USDC of devnet (6 decimals)', address: USDC_DEVNET_MINT },
      ],
      warnings: warningsOf(config),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function createOperations(clusters: Clusters): Operation[] {
  return [createDeposit(clusters), createGetBalance(clusters)] as Operation[];
}

function ledgerHandler(config: Config, ledger: Ledger, { logger }: Ports): RequestHandler {
  const dispatch = createDispatcher({
    node: { ledger, version: nodeVersion(SERVER_INFO.version), featureSet: FEATURE_SET },
    methods: LEDGER_METHODS,
    batchMax: BATCH_MAX,
    logger,
  });
  return createRpcHandler({ dispatch, bodyBytesMax: config.ledgerRequestBytesMax, guard: guardOf(config) });
}

function serviceHandler(config: Config, operations: Operation[], { logger, random }: Ports): RequestHandler {
  return createServiceHandler({
    operations,
    hostGuard: guardOf(config),
    logger,
    random,
    ...(config.publicUrl === null ? {} : { publicOrigin: config.publicUrl }),
  });
}

function guardOf({ host, allowedHosts, allowedOrigins }: Config): ReturnType<typeof createHostGuard> {
  return createHostGuard({ boundHost: host, allowedHosts, allowedOrigins });
}

async function listen(
  { host }: Config,
  variable: string,
  port: number,
  handler: RequestHandler,
): Promise<HttpServer> {
  try {
    return await startHttpServer(host, port, handler);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `${variable} ${port} is in use on ${host}: stop the other program or choose another port`,
      EACCES: `${variable} ${port} is not open to this user: choose a port above 1023`,
      EADDRNOTAVAIL: `HOST ${host} is no address of this machine: choose one that is`,
      ENOTFOUND: `HOST ${host} cannot be resolved: choose an address of this machine`,
    };
    const reason = code === undefined ? undefined : reasons[code];
    if (reason === undefined) throw error;
    throw new ServiceError('CONFIG_INVALID', reason, {}, { cause: error });
  }
}

function warningsOf({ host, allowedHosts }: Config): string[] {
  if (isLoopback(host) || allowedHosts.length > 0) return [];
  return [
    `HOST ${host} is open to the network and answers to any host name. The ledger's faucet and both services are then anybody's; set ALLOWED_HOSTS, or bind to 127.0.0.1.`,
  ];
}
