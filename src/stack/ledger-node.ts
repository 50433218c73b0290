import type { IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import type { Chain, Rollup } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import { createClientFinder } from '../http/forwarded-client.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { EngineLimits } from '../ledger/engine/engine-limits.ts';
import type { FaucetLimits } from '../ledger/faucet-limits.ts';
import { bareGenesis, localGenesis } from '../ledger/genesis/local-genesis.ts';
import { withDumps } from '../ledger/genesis/obtain-dumps.ts';
import { LedgerChain } from '../ledger/ledger-chain.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { openClusterAccounts, type ClusterAccounts } from '../ledger/provision/cluster-accounts.ts';
import { Fork } from '../ledger/provision/fork.ts';
import { ForkedChain } from '../ledger/provision/forked-chain.ts';
import { Provisioner } from '../ledger/provision/provisioner.ts';
import { readProvision } from '../ledger/provision/read-provision.ts';
import { hasLedgerFiles, isBeingReset, resetLedgerFolder } from '../ledger/store/ledger-folder.ts';
import { LOCALNET_VALIDATOR } from '../programs/addresses.ts';
import { admitValidator, validatorAccounts } from '../rollup/validator-accounts.ts';
import { rollupValidatorOf } from '../rollup/validator-key.ts';
import type { CallObserver } from '../rpc/dispatcher.ts';
import { forkedMethods } from '../rpc/fork/forked-methods.ts';
import { LEDGER_METHODS } from '../rpc/methods/method-table.ts';
import { SURFNET_METHODS } from '../rpc/methods/surfnet/surfnet-methods.ts';
import { featureSetOf, nodeVersion } from '../rpc/node-version.ts';
import type { RpcMethod } from '../rpc/rpc-method.ts';
import type { NodeAddresses } from '../rpc/rpc-node.ts';
import { PerformanceSampler } from '../rpc/transactions/performance-samples.ts';
import { faucetMints, type NamedMint } from './faucet-mints.ts';
import type { Resources } from './resources.ts';
import type { Ports } from './ports.ts';
import type { ProvisionOptions } from './provision-options.ts';
import { createRpcServer, type RpcServer } from './rpc-server.ts';

/** What {@link openLedgerNode} needs. */
interface LedgerNodeOptions {
  readonly config: Config;
  readonly ports: Ports;
  /** Delete the stored ledger first. */
  readonly reset: boolean;
  readonly provision: ProvisionOptions;
  /** Version of the program. */
  readonly version: string;
  readonly guard: (request: IncomingMessage) => HostVerdict;
  readonly observe: CallObserver;
  /** The addresses of its node; null where it does not listen. */
  readonly addresses: NodeAddresses | null;
}

/** The embedded ledger, with the chain for the operations and the server for Solana clients. */
export interface LedgerNode {
  readonly ledger: EmbeddedLedger;
  readonly server: RpcServer;
  readonly dataFolder: string;
  /** The genesis mints its faucet can mint. */
  readonly mints: readonly NamedMint[];
  /** Warnings for the operator about the provision. */
  readonly warnings: readonly string[];
  /** The cluster `localnet`, with the rollup on top of it if there is one. */
  chainWith(rollup: Rollup | null): Chain;
}

/**
 * Opens the ledger in the data folder. What it opens is added to `resources`, even if a later step fails.
 *
 * @throws {ServiceError} what openLedger and Provisioner throw.
 */
export async function openLedgerNode(options: LedgerNodeOptions, resources: Resources): Promise<LedgerNode> {
  const { config, ports, provision } = options;
  const dataFolder = resolve(config.dataDir);
  const cluster = provision.url === null ? null : openClusterAccounts(new URL(provision.url), ports);
  if (cluster !== null) resources.push(cluster);

  const faucetLamports = BigInt(config.faucetSol) * 1_000_000_000n;
  const inputs = { source: cluster, mintLamports: faucetLamports };
  // The embedded rollup has a validator of its own, whose key nobody else has.
  const admitsPublicValidator = provision.genesisPrograms && config.rollup !== 'embedded';
  const genesisParts = provision.genesisPrograms
    ? withDumps(localGenesis(faucetLamports, { admitsPublicValidator }), { logger: ports.logger })
    : bareGenesis(faucetLamports);
  const base = { ...genesisParts, firstSlot: () => firstSlotOf(provision, cluster) };
  const provisioner = new Provisioner(readProvision(provision, inputs), base, config.ledgerAccountsBytesMax);
  const genesis = provisioner.genesis();
  const ledgerOnTop = rollupFolder(dataFolder);
  if (options.reset || isBeingReset(dataFolder)) {
    // A failure here must leave the old ledger in place.
    await genesis.prepare();
    resetLedgerFolder(dataFolder, [ledgerOnTop]);
  }
  const ledger = await openLedger({
    // A rollup folder exists only if the base ledger was already on disk.
    place: {
      folder: dataFolder,
      transactionsMax: config.ledgerHistoryMax,
      mustExist: hasLedgerFiles(ledgerOnTop),
    },
    ...ports,
    slotMs: config.ledgerSlotMs,
    accountsBytesMax: config.ledgerAccountsBytesMax,
    faucetLimits: faucetLimitsOf(config),
    engineLimits: engineLimitsOf(config),
    genesis,
    slotMin: provision.warpSlot ?? 0,
  });
  resources.push(ledger);
  const validator = rollupValidatorOf(ledger).address;
  const keys = validatorAccounts(validator).map(([address]) => address);
  const warnings = [
    ...(await provisioner.complete(ledger, ledger, keys)),
    ...warningsOfWarp(ledger, provision),
  ];
  // A stored ledger may have been created for the embedded rollup.
  if (admitsPublicValidator) await admitValidator(ledger, LOCALNET_VALIDATOR);
  const fork =
    provision.fork && cluster !== null ? new Fork({ source: cluster, ledger, operator: ledger }) : null;
  if (fork !== null) resources.push(fork);

  return {
    ledger,
    server: createServer(options, ledger, fork),
    dataFolder,
    mints: faucetMints(ledger),
    warnings,
    chainWith(rollup) {
      const localnet = new LedgerChain('localnet', ledger, LOCALNET_VALIDATOR, rollup);
      return fork === null ? localnet : new ForkedChain(localnet, fork);
    },
  };
}

function createServer(
  { config, ports, version, guard, observe, addresses }: LedgerNodeOptions,
  ledger: EmbeddedLedger,
  fork: Fork | null,
): RpcServer {
  const served = (methods: readonly RpcMethod[]): readonly RpcMethod[] =>
    fork === null ? methods : forkedMethods(methods, fork);
  return createRpcServer({
    node: {
      ledger,
      version: nodeVersion(version),
      featureSet: featureSetOf(ledger),
      ...(addresses && { addresses }),
      performance: new PerformanceSampler(ledger),
      ...(config.ledgerCheats && { operator: ledger }),
      ...(fork && { fork }),
    },
    methods: served(LEDGER_METHODS),
    privateMethods: config.ledgerCheats ? served(SURFNET_METHODS) : [],
    bodyBytesMax: config.ledgerRequestBytesMax,
    hasVotes: config.ledgerVoteSubscription,
    guard,
    findClient: createClientFinder(config.trustedProxies),
    observe,
    ports,
  });
}

/** The folder of the rollup, inside that of its base ledger. */
export function rollupFolder(dataFolder: string): string {
  return join(dataFolder, 'rollup');
}

function faucetLimitsOf({ faucetCallMax, faucetSliceMax, faucetSliceSeconds }: Config): FaucetLimits {
  return {
    perCall: faucetCallMax ?? undefined,
    perSlice: faucetSliceMax ?? undefined,
    sliceMs: faucetSliceSeconds * 1_000,
  };
}

function engineLimitsOf(config: Config): EngineLimits {
  return {
    computeUnits: config.ledgerComputeUnitLimit ?? undefined,
    logBytes: config.ledgerLogBytesMax ?? undefined,
    accountLocks: config.ledgerAccountLocksMax ?? undefined,
  };
}

/** A fork starts at the slot of the other cluster unless `--warp-slot` is set. */
async function firstSlotOf(
  { fork, warpSlot }: ProvisionOptions,
  cluster: ClusterAccounts | null,
): Promise<number | null> {
  return fork && warpSlot === null && cluster !== null ? await cluster.slot() : null;
}

function warningsOfWarp({ openedAtSlot }: EmbeddedLedger, { warpSlot }: ProvisionOptions): string[] {
  if (warpSlot === null || openedAtSlot <= warpSlot) return [];
  return [`--warp-slot ${warpSlot} does nothing: the ledger is at slot ${openedAtSlot} already.`];
}
