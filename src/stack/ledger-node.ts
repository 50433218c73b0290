import type { IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import type { Chain, Rollup } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { bareGenesis, localGenesis } from '../ledger/genesis/local-genesis.ts';
import { LedgerChain } from '../ledger/ledger-chain.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { openClusterAccounts } from '../ledger/provision/cluster-accounts.ts';
import { Fork } from '../ledger/provision/fork.ts';
import { ForkedChain } from '../ledger/provision/forked-chain.ts';
import { Provisioner } from '../ledger/provision/provisioner.ts';
import { readProvision } from '../ledger/provision/read-provision.ts';
import { resetLedgerFolder } from '../ledger/store/ledger-folder.ts';
import { LOCALNET_VALIDATOR } from '../programs/addresses.ts';
import type { CallObserver } from '../rpc/dispatcher.ts';
import { forkedMethods } from '../rpc/fork/forked-methods.ts';
import { LEDGER_METHODS } from '../rpc/methods/method-table.ts';
import { SURFNET_METHODS } from '../rpc/methods/surfnet/surfnet-methods.ts';
import { FEATURE_SET, nodeVersion } from '../rpc/node-version.ts';
import { PerformanceSampler } from '../rpc/transactions/performance-samples.ts';
import type { Grounds } from './grounds.ts';
import type { Ports } from './ports.ts';
import type { ProvisionOptions } from './provision-options.ts';
import { createRpcFace, type RpcFace } from './rpc-face.ts';

/** What the embedded ledger is opened with. */
export interface LedgerNodeOptions {
  readonly config: Config;
  readonly ports: Ports;
  /** Throw the kept ledger away first. */
  readonly reset: boolean;
  readonly provision: ProvisionOptions;
  /** Version of the program. */
  readonly version: string;
  readonly guard: (request: IncomingMessage) => HostVerdict;
  readonly observe: CallObserver;
}

/** The embedded ledger, as the payments service and as Solana's clients see it. */
export interface LedgerNode {
  readonly ledger: EmbeddedLedger;
  readonly face: RpcFace;
  readonly dataFolder: string;
  /** What the operator should know of what he gave. */
  readonly warnings: readonly string[];
  /** The cluster `localnet`, with the rollup on top of it if there is one. */
  chainWith(rollup: Rollup | null): Chain;
}

/**
 * Opens the ledger in the data folder. What is opened is put on `grounds`, also when the rest then fails.
 *
 * @throws {ServiceError} what openLedger and Provisioner throw.
 */
export async function openLedgerNode(options: LedgerNodeOptions, grounds: Grounds): Promise<LedgerNode> {
  const { config, ports, provision, version, guard, observe } = options;
  const dataFolder = resolve(config.dataDir);
  if (options.reset) {
    resetLedgerFolder(dataFolder);
    resetLedgerFolder(rollupFolder(dataFolder));
  }
  const cluster = provision.url === null ? null : openClusterAccounts(new URL(provision.url), ports);
  if (cluster !== null) grounds.push(cluster);

  const faucetLamports = BigInt(config.faucetSol) * 1_000_000_000n;
  const means = { source: cluster, mintLamports: faucetLamports };
  const provisioner = new Provisioner(readProvision(provision, means));
  const beginning = provision.genesisPrograms ? localGenesis(faucetLamports) : bareGenesis(faucetLamports);
  const ledger = await openLedger({
    place: { folder: dataFolder, transactionsMax: config.ledgerHistoryMax },
    ...ports,
    slotMs: config.ledgerSlotMs,
    genesis: provisioner.genesis(beginning),
  });
  grounds.push(ledger);
  const warnings = [...(await provisioner.complete(ledger, ledger)), ...(await warp(ledger, provision))];
  const fork =
    provision.fork && cluster !== null ? new Fork({ source: cluster, ledger, operator: ledger }) : null;
  if (fork !== null) grounds.push(fork);

  const methods = config.ledgerCheats ? [...LEDGER_METHODS, ...SURFNET_METHODS] : LEDGER_METHODS;
  const node = {
    ledger,
    version: nodeVersion(version),
    featureSet: FEATURE_SET,
    performance: new PerformanceSampler(ledger),
    ...(config.ledgerCheats && { operator: ledger }),
  };
  return {
    ledger,
    face: createRpcFace({
      node,
      methods: fork === null ? methods : forkedMethods(methods, fork),
      bodyBytesMax: config.ledgerRequestBytesMax,
      guard,
      observe,
      ports,
    }),
    dataFolder,
    warnings,
    chainWith(rollup) {
      const localnet = new LedgerChain('localnet', ledger, LOCALNET_VALIDATOR, rollup);
      return fork === null ? localnet : new ForkedChain(localnet, fork);
    },
  };
}

/** The rollup is kept in the folder of the ledger it is on top of. */
export function rollupFolder(dataFolder: string): string {
  return join(dataFolder, 'rollup');
}

/** Jumps to the slot of `--warp-slot`, unless the ledger is there or further. */
async function warp(ledger: EmbeddedLedger, { warpSlot }: ProvisionOptions): Promise<string[]> {
  if (warpSlot === null) return [];
  const { slot } = ledger.head();
  if (slot >= warpSlot)
    return [`--warp-slot ${warpSlot} does nothing: the ledger is at slot ${slot} already.`];
  await ledger.travelTo({ slot: warpSlot });
  return [];
}
