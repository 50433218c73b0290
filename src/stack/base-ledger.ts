import type { Layout } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { EngineLimits } from '../ledger/engine/engine.ts';
import type { FaucetLimits } from '../ledger/faucet.ts';
import { type AccountEntry, exemptAccounts, type Genesis } from '../ledger/genesis/genesis.ts';
import { bareGenesis, localGenesis } from '../ledger/genesis/local-genesis.ts';
import { networkProgramsGenesis, validatorNetworkAccounts } from '../ledger/genesis/network-genesis.ts';
import { withDumps } from '../ledger/genesis/obtain-dumps.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { type ClusterAccounts, openClusterAccounts } from '../ledger/provision/cluster-accounts.ts';
import { Fork } from '../ledger/provision/fork.ts';
import { Provisioner } from '../ledger/provision/provisioner.ts';
import { readProvision } from '../ledger/provision/read-provision.ts';
import { LOCALNET_VALIDATOR } from '../programs/addresses.ts';
import { rentOf } from '../programs/sysvars.ts';
import { admitValidator, rollupValidatorOf, validatorAccounts } from '../rollup/validator-accounts.ts';
import type { LedgerHome } from './ledger-home.ts';
import { LocalnetPrograms } from './localnet-programs.ts';
import type { Ports } from './node.ts';
import type { ProvisionOptions } from './provision-options.ts';
import type { Resources } from './resources.ts';

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
export async function openBaseLedger(options: BaseLedgerOptions, resources: Resources): Promise<BaseLedger> {
  const { config, ports, provision, home, reset } = options;
  const cluster =
    provision.url === null ? null : resources.add(openClusterAccounts(new URL(provision.url), ports));
  const programs = await LocalnetPrograms.open({
    config,
    ports,
    kept: home.programs,
    isUpgrade: provision.upgradePrograms,
  });
  const provisioner = createProvisioner(options, programs, cluster);
  const genesis = provisioner.genesis();
  if (reset) home.reset();
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
    // The programs are known only when the ledger is open, and this is called again at a reset.
    accounts(...keys) {
      const { ofNewLedger } = programs;
      const genesis =
        ofNewLedger === null
          ? withDumps(layoutA, { logger })
          : networkProgramsGenesis(ofNewLedger, { faucetLamports });
      return genesis.accounts(...keys);
    },
  };
}

async function addMissing(ledger: EmbeddedLedger, entries: readonly AccountEntry[]): Promise<void> {
  const missing = entries.filter(([address]) => ledger.getAccount(address) === null);
  if (missing.length > 0) await ledger.setOwnAccounts(exemptAccounts(missing, rentOf(ledger)));
}

function openKept(
  { config, ports, provision, home }: BaseLedgerOptions,
  genesis: Genesis,
): Promise<EmbeddedLedger> {
  return openLedger({
    place: home.base(config.ledgerHistoryMax),
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
