import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clusters } from './chain/clusters.ts';
import { createClusters } from './chain/create-clusters.ts';
import type { Config } from './config/config.ts';
import { ServiceError } from './errors/service-error.ts';
import { createHostGuard, isLoopback } from './http/host-guard.ts';
import { openListener, type Listener } from './http/listener.ts';
import type { RequestHandler } from './http/server.ts';
import { localGenesis } from './ledger/genesis/local-genesis.ts';
import { LedgerChain } from './ledger/ledger-chain.ts';
import type { Ledger } from './ledger/ledger.ts';
import { openLedger } from './ledger/open-ledger.ts';
import { resetLedgerFolder } from './ledger/store/ledger-folder.ts';
import { createChallenge } from './payments/challenge.ts';
import { createDeposit } from './payments/deposit.ts';
import { createExplainTransaction } from './payments/explain/explain-transaction.ts';
import { createGetBalance } from './payments/get-balance.ts';
import { createInitializeMint } from './payments/initialize-mint.ts';
import { createLogin } from './payments/login.ts';
import { createIsMintInitialized } from './payments/mint-initialized.ts';
import type { Operation } from './payments/operation.ts';
import { createGetPrivateBalance } from './payments/private-balance.ts';
import { createEnsureTransferQueueCrank } from './payments/queue-crank.ts';
import { createSendTransaction } from './payments/send-transaction.ts';
import { createStealthPool } from './payments/stealth/create-stealth-pool.ts';
import { createGetStealthPool } from './payments/stealth/get-stealth-pool.ts';
import { createTransfer } from './payments/transfer/transfer.ts';
import { withTrial } from './payments/trial.ts';
import { createUndelegate } from './payments/undelegate.ts';
import { createWithdraw } from './payments/withdraw.ts';
import type { Clock } from './ports/clock.ts';
import type { Logger } from './ports/logger.ts';
import type { Random } from './ports/random.ts';
import { LOCALNET_VALIDATOR, USDC_DEVNET_MINT, USDC_MINT } from './programs/addresses.ts';
import { BATCH_MAX, createDispatcher } from './rpc/dispatcher.ts';
import { createRpcHandler } from './rpc/http/rpc-handler.ts';
import { LEDGER_METHODS } from './rpc/methods/method-table.ts';
import { FEATURE_SET, nodeVersion } from './rpc/node-version.ts';
import { serveStdio } from './service/mcp/stdio.ts';
import { SERVER_INFO } from './service/server-info.ts';
import { createServiceHandler } from './service/service-handler.ts';
import { createKeySponsor } from './signing/key-sponsor.ts';
import { createThrowawaySender } from './signing/throwaway-sender.ts';

/** What the whole stack gets from outside. */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** How the stack is started. */
export interface StartOptions {
  /** Throw the kept ledger away first. */
  readonly reset: boolean;
  /** Speak MCP over these streams instead of HTTP; the ledger node listens all the same. */
  readonly stdio?: { readonly input: Readable; readonly output: Writable };
}

/** Requests a second from one address when the service is open to the network and nothing else is set. */
const OPEN_REQUESTS_PER_SECOND = 50;

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
export async function startApp(config: Config, ports: Ports, options: StartOptions): Promise<App> {
  const { stdio } = options;
  const dataFolder = resolve(config.dataDir);
  /** The faces are drained together; what they stand on is closed after them, the last opened first. */
  const faces: { close(): Promise<void> }[] = [];
  const grounds: { close(): void | Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(faces.map((face) => face.close()));
    for (const ground of grounds.toReversed()) await ground.close();
  };
  try {
    // The ports come first: a ledger must not be thrown away for a program that cannot start.
    const node = await listen(config, 'LEDGER_RPC_PORT', config.ledgerRpcPort);
    faces.push(node);
    const service = stdio === undefined ? await listen(config, 'PORT', config.port) : undefined;
    if (service !== undefined) faces.push(service);

    if (options.reset) resetLedgerFolder(dataFolder);
    const genesis = localGenesis(BigInt(config.faucetSol) * 1_000_000_000n);
    const ledger = await openLedger({ place: { folder: dataFolder }, ...ports, genesis });
    grounds.push(ledger);
    const localnet = new LedgerChain('localnet', ledger, LOCALNET_VALIDATOR);
    const clusters = createClusters(config, { ...ports, localnet });
    grounds.push(clusters);

    const operations = createOperations(config, clusters, ports);
    node.serve(ledgerHandler(config, ledger, ports));
    service?.serve(serviceHandler(config, operations, ports));
    if (stdio !== undefined) faces.push(serveStdio({ operations, ...stdio, ...ports }));
    return {
      version: SERVER_INFO.version,
      serviceUrl: service?.url ?? 'stdio',
      ledgerUrl: node.url,
      dataFolder,
      mints: MINTS,
      warnings: warningsOf(config),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Mints the embedded ledger is made with. */
const MINTS = [
  { name: 'USDC (6 decimals)', address: USDC_MINT },
  { name: 'USDC of devnet (6 decimals)', address: USDC_DEVNET_MINT },
] as const;

/** Every operation, in the order in which tools are listed. */
function createOperations(config: Config, clusters: Clusters, { clock, random }: Ports): Operation[] {
  const sponsor =
    config.gaslessSponsorSecretKey === null
      ? undefined
      : createKeySponsor(config.gaslessSponsorSecretKey.reveal(), 'GASLESS_SPONSOR_SECRET_KEY');
  const builders = [
    createDeposit({ clusters, random }),
    createWithdraw({ clusters, random }),
    createTransfer({ clusters, random, ...(sponsor && { sponsor }) }),
    createInitializeMint({ clusters }),
    createUndelegate({ clusters }),
    createStealthPool({ clusters }),
  ].map((operation) => withTrial(operation as Operation, clusters));
  const others = [
    createGetBalance(clusters),
    createGetPrivateBalance({ clusters }),
    createIsMintInitialized({ clusters }),
    createGetStealthPool({ clusters }),
    createExplainTransaction({ clusters, operations: builders, sponsor: sponsor?.address ?? null }),
    createSendTransaction({ clusters, waiting: { clock, sleep } }),
    createEnsureTransferQueueCrank({ clusters, sendFromThrowaway: createThrowawaySender(random) }),
    createChallenge({ clusters }),
    createLogin({ clusters }),
  ];
  return [...builders, ...(others as Operation[])];
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

function serviceHandler(config: Config, operations: Operation[], ports: Ports): RequestHandler {
  const { host, publicUrl, rateLimitBurst: burst } = config;
  const requestsPerSecond = config.rateLimitPerSecond ?? (isLoopback(host) ? 0 : OPEN_REQUESTS_PER_SECOND);
  return createServiceHandler({
    operations,
    hostGuard: guardOf(config),
    ...ports,
    ...(requestsPerSecond === 0 ? {} : { rateLimit: { requestsPerSecond, burst } }),
    ...(publicUrl === null ? {} : { publicOrigin: publicUrl }),
  });
}

/** The page at the service's public address may call it, too. */
function guardOf({
  host,
  allowedHosts,
  allowedOrigins,
  publicUrl,
}: Config): ReturnType<typeof createHostGuard> {
  const origins = publicUrl === null ? allowedOrigins : [...allowedOrigins, publicUrl];
  return createHostGuard({ boundHost: host, allowedHosts, allowedOrigins: origins });
}

async function listen({ host }: Config, variable: string, port: number): Promise<Listener> {
  try {
    return await openListener(host, port);
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
