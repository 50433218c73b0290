import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { LiteSvmEngine } from '../ledger/engine/litesvm-engine.ts';
import type { AccountEntry } from '../ledger/genesis/genesis.ts';
import { type BankBackend, loadBuiltins } from '../ledger/initial-state.ts';
import type { Keypair } from '../ledger/keypair.ts';
import { openLedger, type OpenLedgerOptions } from '../ledger/open-ledger.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';
import { SYSVAR_OWNER } from '../programs/addresses.ts';
import { activeFeatures, FEATURE_PROGRAM } from '../programs/feature.ts';
import type { Address } from '../solana/address.ts';
import { BaseWatch } from './base-watch.ts';
import { Crank } from './crank/crank.ts';
import { RollupRules } from './execution/rollup-rules.ts';
import { OwnRunner } from './execution/run-own.ts';
import { MirrorEngine, OverlayAccounts, type SetObserver } from './overlay/overlay.ts';
import { BaseFollower } from './projection/base-follower.ts';
import { Projections, recallProjections } from './projection/projections.ts';
import type { BaseLedger } from './rollup-context.ts';
import { magicAccounts, ROLLUP_BLOCKHASH_AGE_MAX, rollupGenesis } from './rollup-genesis.ts';
import { EmbeddedRollup } from './rollup.ts';
import { Settlement } from './settlement/settlement.ts';

/** Wall time of a slot on MagicBlock's ephemeral validator, in ms. */
const ROLLUP_SLOT_MS = 50;

interface OpenRollupOptions extends Pick<OpenLedgerOptions, 'place' | 'clock' | 'random' | 'logger'> {
  /** Returns the names under which the history lists a transaction, by `HistoryNames` of a private rollup. */
  readonly listedUnder: NonNullable<OpenLedgerOptions['listedUnder']>;
  /** The base ledger. It must stay open longer than the rollup. */
  readonly base: BaseLedger;
  /** The validator that eATAs are delegated to. It settles on base. */
  readonly validator: Keypair;
  /** Additional accounts that the validator needs on base; none by default. */
  readonly baseAccounts?: readonly AccountEntry[];
  /** Maximum total data of the rollup's own accounts, in bytes; default 512 MiB. */
  readonly accountsBytesMax?: number;
  /** Duration of a slot, in ms; default 50. */
  readonly slotMs?: number;
  /** Schedules retries; default the system timer. */
  readonly timer?: Timer;
  /** Receives every account that the rollup sets, as soon as the account is visible. Optional. */
  readonly observer?: SetObserver;
}

/**
 * Opens or creates the rollup at a place and resumes its open work. A rollup whose base ledger was reset
 * starts over.
 *
 * @throws {ServiceError} like {@link openLedger}; also LEDGER_DAMAGED if the rollup belongs to a different
 *   base ledger, or if one of the two was restored to an earlier state.
 */
export async function openRollup(options: OpenRollupOptions): Promise<EmbeddedRollup> {
  const { base, validator, clock, random, logger, timer = systemTimer, baseAccounts = [] } = options;
  const projections = new Projections();
  const halted = new Map<Address, string>();
  const { ledger, accounts } = await openOverlay(options, projections, halted);
  const runner = new OwnRunner({ ledger, validator, random });
  const context = { base, ledger, projections, runner, validator, clock, random, timer, logger };
  const follower = new BaseFollower(context);
  const processSettled = (): Promise<void> => follower.processSettled();
  const settlement = new Settlement({ ...context, halted, processSettled });
  const crank = new Crank(context);
  const watch = new BaseWatch({ ...context, baseAccounts, follower, settlement });

  try {
    recallProjections(accounts().own, projections);
    await watch.start();
  } catch (error) {
    watch.stop();
    await ledger.close();
    throw error;
  }
  settlement.wake();
  crank.start();
  return new EmbeddedRollup({
    ...context,
    settlement,
    crank,
    followed: () => watch.followed(),
    stopFollowing: () => watch.stop(),
  });
}

async function openOverlay(
  { base, validator, observer, slotMs = ROLLUP_SLOT_MS, ...options }: OpenRollupOptions,
  projections: Projections,
  halted: ReadonlyMap<Address, string>,
): Promise<{ readonly ledger: EmbeddedLedger; readonly accounts: () => OverlayAccounts }> {
  let accounts: OverlayAccounts | undefined;
  const createBackend = (): BankBackend => {
    const features = activeFeatures(base.state().ownedBy(FEATURE_PROGRAM));
    const engine = new MirrorEngine(new LiteSvmEngine({ features, isBare: true }));
    const observers = observer === undefined ? [engine] : [engine, observer];
    const overlay = new OverlayAccounts(() => base.state(), observers, magicAccounts());
    loadSysvars(engine, overlay);
    accounts = overlay;
    return {
      engine,
      accounts: overlay,
      rules: new RollupRules({ accounts: overlay, engine, projections, validator, halted }),
    };
  };
  const ledger = await openLedger({
    ...options,
    slotMs,
    lamportsPerSignature: 0,
    blockhashAgeMax: ROLLUP_BLOCKHASH_AGE_MAX,
    createBackend,
    genesis: rollupGenesis(() => base.genesisHash),
  });
  return { ledger, accounts: () => accounts as OverlayAccounts };
}

/** Loads the rollup's own sysvars. The engine's other built-in accounts are already on base. */
function loadSysvars(engine: MirrorEngine, accounts: OverlayAccounts): void {
  loadBuiltins(engine, {
    set(address, account) {
      if (account.owner === SYSVAR_OWNER) accounts.set(address, account);
    },
  });
}
