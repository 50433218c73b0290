import { resolve } from 'node:path';
import type { Chain, Layout, Rollup } from '../chain/chain.ts';
import { LOCALNET_LOOKUP_TABLE, readAddress } from '../chain/cluster-settings.ts';
import type { Config } from '../config/config.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { obtainDumps } from '../ledger/genesis/dumps.ts';
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
import { type NodeContext, type NodeEndpoint, Resources, type StackNode } from './node.ts';
import type { ProvisionOptions } from './provision-options.ts';

const LAMPORTS_PER_SOL = 1_000_000_000n;

/** Options for the embedded ledger. */
export interface LedgerNodeOptions {
  /** The storage of the ledger. Default: `DATA_DIR`. */
  readonly home?: LedgerHome | undefined;
  /** Whether to replace the stored ledger with a new one. */
  readonly reset: boolean;
  readonly provision: ProvisionOptions;
  /** The addresses of the ledger's node; null if it does not listen. */
  readonly endpoint: NodeEndpoint | null;
}

/** The embedded ledger, with the chain for the operations and the server for Solana clients. */
export interface LedgerNode extends StackNode {
  readonly ledger: EmbeddedLedger;
  readonly home: LedgerHome;
  /** Layout of the ledger's private payment programs. */
  readonly layout: Layout;
  /** The genesis mints that its faucet can mint. */
  readonly mints: readonly NamedMint[];
  /** Warnings for the operator about the provision. */
  readonly warnings: readonly string[];
  /** Creates the chain of the cluster `localnet`, with its rollup if there is one. */
  chainWith(rollup: Rollup | null): Chain;
}

/**
 * Opens the stored ledger or creates a new one, and opens its server.
 *
 * @throws {ServiceError} the errors of openLedger and Provisioner.
 */
export function openLedgerNode(context: NodeContext, options: LedgerNodeOptions): Promise<LedgerNode> {
  return Resources.open(async (resources) => {
    const { config, ports } = context;
    const { reset, provision, endpoint, home = { folder: resolve(config.dataDir) } } = options;
    const cluster = provision.url && resources.add(openClusterAccounts(new URL(provision.url), ports));
    const programs = new LocalnetPrograms({ config, ports, isUpgrade: provision.upgradePrograms });
    // The folder is read first, because its faults must be reported before a ledger is opened.
    if (config.localnetPrograms?.kind === 'folder') await programs.ofNewLedger();
    const provisioner = createProvisioner(context, provision, programs, cluster || null);
    const ledger = resources.add(
      await openLedger({
        place: basePlace(home, { transactionsMax: config.ledgerHistoryMax, reset }),
        ...ports,
        slotMs: config.ledgerSlotMs,
        accountsBytesMax: config.ledgerAccountsBytesMax,
        faucetLimits: {
          perCall: config.faucetCallMax ?? undefined,
          perSlice: config.faucetSliceMax ?? undefined,
          sliceMs: config.faucetSliceSeconds * 1_000,
        },
        engineLimits: {
          computeUnits: config.ledgerComputeUnitLimit ?? undefined,
          logBytes: config.ledgerLogBytesMax ?? undefined,
          accountLocks: config.ledgerAccountLocksMax ?? undefined,
        },
        genesis: provisioner.genesis(),
        slotMin: provision.warpSlot ?? 0,
      }),
    );
    const layout = await programs.settle(ledger);
    const validator = rollupValidatorOf(ledger).address;
    const keys = validatorAccounts(validator).map(([address]) => address);
    const warnings = await provisioner.complete(ledger, ledger, keys);
    // A stored ledger may have been created for the embedded rollup.
    if (admitsPublicValidator(config, provision)) await admitValidator(ledger, LOCALNET_VALIDATOR);
    if (layout === 'b' && config.rollup === 'embedded') {
      await addMissing(ledger, validatorNetworkAccounts(validator));
    }
    const fork =
      provision.fork && cluster
        ? resources.add(new Fork({ source: cluster, ledger, operator: ledger }))
        : null;
    return {
      ledger,
      server: resources.add(createServer(context, endpoint, ledger, fork)),
      home,
      layout,
      mints: faucetMints(ledger),
      warnings: [...warnings, ...warningsOfWarp(ledger, provision)],
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

/** Whether to admit the public validator. The embedded rollup has its own, whose key is secret. */
function admitsPublicValidator({ rollup }: Config, { genesisPrograms }: ProvisionOptions): boolean {
  return genesisPrograms && rollup !== 'embedded';
}

function createProvisioner(
  { config, ports: { logger } }: NodeContext,
  provision: ProvisionOptions,
  programs: LocalnetPrograms,
  source: ClusterAccounts | null,
): Provisioner {
  const { fork: isFork, warpSlot, genesisPrograms } = provision;
  const faucetLamports = BigInt(config.faucetSol) * LAMPORTS_PER_SOL;
  const layoutA = localGenesis(faucetLamports, {
    admitsPublicValidator: admitsPublicValidator(config, provision),
  });
  const base: Genesis = {
    // This function is also called at each reset, when the ledger may have other programs.
    async accounts(...keys) {
      if (!genesisPrograms) return bareGenesis(faucetLamports).accounts(...keys);
      const ofLayoutB = await programs.ofNewLedger();
      if (ofLayoutB !== null) return networkProgramsGenesis(ofLayoutB, { faucetLamports }).accounts(...keys);
      await obtainDumps({ logger });
      return layoutA.accounts(...keys);
    },
    // A fork starts at the slot of the other cluster unless `--warp-slot` is set.
    firstSlot: async () => (isFork && warpSlot === null && source !== null ? await source.slot() : null),
  };
  const provided = readProvision(provision, { source, isFork, mintLamports: faucetLamports });
  return new Provisioner(provided, base, config.ledgerAccountsBytesMax);
}

async function addMissing(ledger: EmbeddedLedger, entries: readonly AccountEntry[]): Promise<void> {
  const missing = entries.filter(([address]) => ledger.getAccount(address) === null);
  if (missing.length > 0) await ledger.setOwnAccounts(exemptAccounts(missing, rentOf(ledger)));
}

function warningsOfWarp({ openedAtSlot }: EmbeddedLedger, { warpSlot }: ProvisionOptions): string[] {
  if (warpSlot === null || openedAtSlot <= warpSlot) return [];
  return [`--warp-slot ${warpSlot} has no effect: the ledger is already at slot ${openedAtSlot}.`];
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

/** Returns the genesis mints whose authority is the faucet. An operator may have replaced other mints. */
function faucetMints(ledger: Pick<EmbeddedLedger, 'faucet' | 'getAccount'>): readonly NamedMint[] {
  return MINTS.filter(({ address }) => {
    const account = ledger.getAccount(address);
    return account !== null && decodeMint(account.data)?.mintAuthority === ledger.faucet;
  });
}
