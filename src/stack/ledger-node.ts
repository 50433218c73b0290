import { resolve } from 'node:path';
import type { Chain, Layout, Rollup } from '../chain/chain.ts';
import { LOCALNET_LOOKUP_TABLE, readAddress } from '../chain/cluster-settings.ts';
import type { Config } from '../config/config.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { EngineLimits } from '../ledger/engine/engine.ts';
import type { FaucetLimits } from '../ledger/faucet.ts';
import { withDumps } from '../ledger/genesis/dumps.ts';
import {
  type AccountEntry,
  bareGenesis,
  exemptAccounts,
  type Genesis,
  localGenesis,
  networkProgramsGenesis,
  validatorNetworkAccounts,
} from '../ledger/genesis/genesis.ts';
import { LedgerChain } from '../ledger/ledger-chain.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { type ClusterAccounts, openClusterAccounts } from '../ledger/provision/clone-accounts.ts';
import { Fork, ForkedChain } from '../ledger/provision/fork.ts';
import { Provisioner } from '../ledger/provision/provisioner.ts';
import { readProvision } from '../ledger/provision/read-provision.ts';
import { LOCALNET_VALIDATOR, USDC_DEVNET_MINT, USDC_MINT } from '../programs/addresses.ts';
import { rentOf } from '../programs/sysvars.ts';
import { decodeMint } from '../programs/token/state.ts';
import { admitValidator, rollupValidatorOf, validatorAccounts } from '../rollup/validator-accounts.ts';
import { featureSetOf } from '../rpc/cluster/node-version.ts';
import { forkedMethods } from '../rpc/fork/forked-methods.ts';
import { LEDGER_METHODS } from '../rpc/methods/method-table.ts';
import { SURFNET_METHODS } from '../rpc/methods/surfnet/surfnet-methods.ts';
import type { RpcMethod } from '../rpc/rpc-method.ts';
import type { Address } from '../solana/address.ts';
import { basePlace, type LedgerHome } from './ledger-home.ts';
import { createLedgerServer, type RpcServer, unreadinessOf } from './ledger-server.ts';
import { LocalnetPrograms } from './localnet-programs.ts';
import { type NodeContext, type NodeEndpoint, type Ports, Resources, type StackNode } from './node.ts';
import type { ProvisionOptions } from './provision-options.ts';

const LAMPORTS_PER_SOL = 1_000_000_000n;

interface BaseLedgerOptions {
  readonly config: Config;
  readonly ports: Ports;
  readonly home: LedgerHome;
  /** Delete the stored ledger first. */
  readonly reset: boolean;
  readonly provision: ProvisionOptions;
}

/** An open base ledger with its initial content. */
interface BaseLedger {
  readonly ledger: EmbeddedLedger;
  /** Layout of its programs of private payments. */
  readonly layout: Layout;
  /** Copies missing accounts from the other cluster; null without a fork. */
  readonly fork: Fork | null;
  /** Warnings for the operator about the provision. */
  readonly warnings: readonly string[];
}

/**
 * Opens the stored ledger, or creates a new one.
 *
 * @throws {ServiceError} what openLedger and Provisioner throw.
 */
async function openBaseLedger(options: BaseLedgerOptions, resources: Resources): Promise<BaseLedger> {
  const { config, ports, provision } = options;
  const cluster =
    provision.url === null ? null : resources.add(openClusterAccounts(new URL(provision.url), ports));
  const programs = new LocalnetPrograms({ config, ports, isUpgrade: provision.upgradePrograms });
  // A folder with faults is reported before a ledger is opened.
  if (config.localnetPrograms?.kind === 'folder') await programs.ofNewLedger();
  const provisioner = createProvisioner(options, programs, cluster);
  const genesis = provisioner.genesis();
  const ledger = resources.add(await openKept(options, genesis));
  const layout = await programs.settle(ledger);
  const validator = rollupValidatorOf(ledger).address;
  const keys = validatorAccounts(validator).map(([address]) => address);
  const provisionWarnings = await provisioner.complete(ledger, ledger, keys);
  // A stored ledger may have been created for the embedded rollup.
  if (admitsPublicValidator(options)) await admitValidator(ledger, LOCALNET_VALIDATOR);
  if (layout === 'b' && config.rollup === 'embedded')
    await addMissing(ledger, validatorNetworkAccounts(validator));
  const fork =
    provision.fork && cluster !== null
      ? resources.add(new Fork({ source: cluster, ledger, operator: ledger }))
      : null;
  return { ledger, layout, fork, warnings: [...provisionWarnings, ...warningsOfWarp(ledger, provision)] };
}

/** The embedded rollup has a validator of its own, whose key nobody else has. */
function admitsPublicValidator({ config, provision }: BaseLedgerOptions): boolean {
  return provision.genesisPrograms && config.rollup !== 'embedded';
}

function createProvisioner(
  options: BaseLedgerOptions,
  programs: LocalnetPrograms,
  cluster: ClusterAccounts | null,
): Provisioner {
  const { config, provision } = options;
  const mintLamports = BigInt(config.faucetSol) * LAMPORTS_PER_SOL;
  const base = {
    ...genesisOf(options, programs, mintLamports),
    firstSlot: () => firstSlotOf(provision, cluster),
  };
  const provided = readProvision(provision, { source: cluster, isFork: provision.fork, mintLamports });
  return new Provisioner(provided, base, config.ledgerAccountsBytesMax);
}

function genesisOf(options: BaseLedgerOptions, programs: LocalnetPrograms, faucetLamports: bigint): Genesis {
  if (!options.provision.genesisPrograms) return bareGenesis(faucetLamports);
  const { logger } = options.ports;
  const layoutA = localGenesis(faucetLamports, { admitsPublicValidator: admitsPublicValidator(options) });
  return {
    // Called when the ledger is open and the programs are known, and again at each reset.
    async accounts(...keys) {
      const ofLayoutB = await programs.ofNewLedger();
      const genesis =
        ofLayoutB === null
          ? withDumps(layoutA, { logger })
          : networkProgramsGenesis(ofLayoutB, { faucetLamports });
      return await genesis.accounts(...keys);
    },
  };
}

async function addMissing(ledger: EmbeddedLedger, entries: readonly AccountEntry[]): Promise<void> {
  const missing = entries.filter(([address]) => ledger.getAccount(address) === null);
  if (missing.length > 0) await ledger.setOwnAccounts(exemptAccounts(missing, rentOf(ledger)));
}

function openKept(
  { config, ports, provision, home, reset }: BaseLedgerOptions,
  genesis: Genesis,
): Promise<EmbeddedLedger> {
  return openLedger({
    place: basePlace(home, { transactionsMax: config.ledgerHistoryMax, reset }),
    ...ports,
    slotMs: config.ledgerSlotMs,
    accountsBytesMax: config.ledgerAccountsBytesMax,
    faucetLimits: faucetLimitsOf(config),
    engineLimits: engineLimitsOf(config),
    genesis,
    slotMin: provision.warpSlot ?? 0,
  });
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

/** Limits of the faucet in lamports, from the `FAUCET_` settings. */
function faucetLimitsOf({ faucetCallMax, faucetSliceMax, faucetSliceSeconds }: Config): FaucetLimits {
  return {
    perCall: faucetCallMax ?? undefined,
    perSlice: faucetSliceMax ?? undefined,
    sliceMs: faucetSliceSeconds * 1_000,
  };
}

/** Limits of transactions, from the `LEDGER_` settings. */
function engineLimitsOf(config: Config): EngineLimits {
  return {
    computeUnits: config.ledgerComputeUnitLimit ?? undefined,
    logBytes: config.ledgerLogBytesMax ?? undefined,
    accountLocks: config.ledgerAccountLocksMax ?? undefined,
  };
}

/** Options for the embedded ledger. */
export interface LedgerNodeOptions {
  /** Where it is stored. Default: `DATA_DIR`. */
  readonly home?: LedgerHome | undefined;
  /** Delete the stored ledger first. */
  readonly reset: boolean;
  readonly provision: ProvisionOptions;
  /** The addresses of its node; null if it does not listen. */
  readonly endpoint: NodeEndpoint | null;
}

/** The embedded ledger, with the chain for the operations and the server for Solana clients. */
export interface LedgerNode extends StackNode {
  readonly ledger: EmbeddedLedger;
  readonly home: LedgerHome;
  /** Layout of its programs of private payments. */
  readonly layout: Layout;
  /** The genesis mints its faucet can mint. */
  readonly mints: readonly NamedMint[];
  /** Warnings for the operator about the provision. */
  readonly warnings: readonly string[];
  /** The cluster `localnet`, with the rollup on top of it if there is one. */
  chainWith(rollup: Rollup | null): Chain;
}

/**
 * Opens the stored ledger and its server.
 *
 * @throws {ServiceError} what openLedger and Provisioner throw.
 */
export function openLedgerNode(context: NodeContext, options: LedgerNodeOptions): Promise<LedgerNode> {
  return Resources.open(async (resources) => {
    const { config, ports } = context;
    const { reset, provision, endpoint, home = { folder: resolve(config.dataDir) } } = options;
    const { ledger, layout, fork, warnings } = await openBaseLedger(
      { config, ports, home, reset, provision },
      resources,
    );
    return {
      ledger,
      server: resources.add(createServer(context, endpoint, ledger, fork)),
      home,
      layout,
      mints: faucetMints(ledger),
      warnings,
      chainWith(rollup) {
        const facts = { layout, transferLookupTable: readAddress(config, LOCALNET_LOOKUP_TABLE) };
        const parts = ['localnet', ledger, LOCALNET_VALIDATOR, rollup, facts] as const;
        return fork === null ? new LedgerChain(...parts) : new ForkedChain(fork, ...parts);
      },
      unreadiness: () => unreadinessOf(ledger),
      close: () => resources.close(),
    };
  });
}

function createServer(
  context: NodeContext,
  endpoint: NodeEndpoint | null,
  ledger: EmbeddedLedger,
  fork: Fork | null,
): RpcServer {
  const { ledgerCheats } = context.config;
  const served = (methods: readonly RpcMethod[]): readonly RpcMethod[] =>
    fork === null ? methods : forkedMethods(methods, fork);
  return createLedgerServer(context, {
    name: 'ledger',
    ledger,
    figures: ledger,
    node: {
      featureSet: featureSetOf(ledger),
      ...(ledgerCheats && { operator: ledger }),
      ...(fork && { fork }),
    },
    endpoint,
    calls: {
      methods: served(LEDGER_METHODS),
      privateMethods: ledgerCheats ? served(SURFNET_METHODS) : [],
    },
  });
}

/** A mint with its display name. */
export interface NamedMint {
  readonly name: string;
  readonly address: Address;
}

/** Mints of the genesis. */
const MINTS: readonly NamedMint[] = [
  { name: 'USDC (6 decimals)', address: USDC_MINT },
  { name: 'USDC of devnet (6 decimals)', address: USDC_DEVNET_MINT },
];

/**
 * The genesis mints that still exist with the faucet as authority: an operator may have put other accounts at
 * their addresses.
 */
function faucetMints(ledger: Pick<EmbeddedLedger, 'faucet' | 'getAccount'>): readonly NamedMint[] {
  return MINTS.filter(({ address }) => {
    const account = ledger.getAccount(address);
    return account !== null && decodeMint(account.data)?.mintAuthority === ledger.faucet;
  });
}
