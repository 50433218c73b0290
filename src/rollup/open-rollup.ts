import { type BankBackend, loadBuiltins } from '../ledger/initial-state.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { AccountEntry } from '../ledger/genesis/genesis.ts';
import { LiteSvmEngine } from '../ledger/engine/litesvm-engine.ts';
import type { Keypair } from '../ledger/keypair.ts';
import { openLedger, type OpenLedgerOptions } from '../ledger/open-ledger.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';
import { MAGIC_CONTEXT, SYSVAR_OWNER } from '../programs/addresses.ts';
import { activeFeatures, FEATURE_PROGRAM } from '../programs/feature.ts';
import type { Address } from '../solana/address.ts';
import type { BaseLedger } from './base-ledger.ts';
import { BaseWatch } from './base-watch.ts';
import { ROLLUP_BLOCKHASH_AGE_MAX } from './blockhash-age.ts';
import { moveBooks } from './books/move-books.ts';
import { Crank } from './crank/crank.ts';
import { RollupRules } from './execution/rollup-rules.ts';
import { OwnRunner } from './execution/run-own.ts';
import { magicAccounts } from './magic-accounts.ts';
import { HollowEngine } from './overlay/hollow-engine.ts';
import { MirrorEngine } from './overlay/mirror-engine.ts';
import { OverlayAccounts, type SetObserver } from './overlay/overlay-accounts.ts';
import { BaseFollower } from './projection/base-follower.ts';
import { Projections } from './projection/projections.ts';
import { recallProjections } from './projection/recall-projections.ts';
import { rollupGenesis } from './rollup-genesis.ts';
import { EmbeddedRollup } from './rollup.ts';
import { Settlement } from './settlement/settlement.ts';

/** Wall time of a slot on MagicBlock's ephemeral validator, ms. */
const ROLLUP_SLOT_MS = 50;

/** What a rollup is opened with. */
interface OpenRollupOptions extends Pick<OpenLedgerOptions, 'place' | 'clock' | 'random' | 'logger'> {
  /** What transactions are listed under in the history: where it has readers, what its `HistoryNames` say. */
  readonly listedUnder: NonNullable<OpenLedgerOptions['listedUnder']>;
  /** The ledger it is on top of. It has to be open for longer than the rollup. */
  readonly base: BaseLedger;
  /** Who settles on base, and whom eATAs are delegated to. */
  readonly validator: Keypair;
  /** What base has to have for the validator besides what admits it; nothing when left out. */
  readonly baseAccounts?: readonly AccountEntry[];
  /** Bytes of data that the accounts which are its own may have together; 512 MiB when left out. */
  readonly accountsBytesMax?: number;
  /** Length of a slot, ms; 50 when left out. */
  readonly slotMs?: number;
  /** When what base did not take is tried again; the machine's timer when left out. */
  readonly timer?: Timer;
  /** Told of every account the rollup puts in place, as soon as it shows; nobody when left out. */
  readonly observer?: SetObserver;
}

/**
 * Opens the rollup kept at a place, or makes a new one there, and goes on with whatever it had accepted. A
 * rollup of what base was before it was reset begins anew.
 *
 * @throws {ServiceError} as {@link openLedger}; LEDGER_DAMAGED too where it is the rollup of another base
 *   ledger, or one of the two is as it was at an earlier time.
 */
export async function openRollup(options: OpenRollupOptions): Promise<EmbeddedRollup> {
  const { base, validator, clock, random, logger, timer = systemTimer, baseAccounts = [] } = options;
  const projections = new Projections();
  const halted = new Map<Address, string>();
  const { ledger, accounts } = await openOverlay(options, projections, halted);
  const parts = { base, ledger, projections, logger };
  const runner = new OwnRunner({ ledger, validator, random });
  const follower = new BaseFollower({ ...parts, runner, validator, timer });
  const takeInSettled = (): Promise<void> => follower.takeInSettled();
  const settlement = new Settlement({ ...parts, runner, validator, random, timer, halted, takeInSettled });
  const crank = new Crank({ ledger, runner, timer, logger });

  const watch = new BaseWatch({ ...parts, validator, baseAccounts, follower, settlement, clock });

  try {
    await moveBooks(ledger, accounts().own);
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
    ...parts,
    validator: validator.address,
    settlement,
    crank,
    followed: () => watch.followed(),
    stopFollowing: () => watch.stop(),
  });
}

/** The rollup's own ledger: one like any other, but for what its accounts, its engine and its rules are. */
async function openOverlay(
  { base, validator, observer, slotMs = ROLLUP_SLOT_MS, ...options }: OpenRollupOptions,
  projections: Projections,
  halted: ReadonlyMap<Address, string>,
): Promise<{ readonly ledger: EmbeddedLedger; readonly accounts: () => OverlayAccounts }> {
  let accounts: OverlayAccounts | undefined;
  const createBackend = (): BankBackend => {
    const features = activeFeatures(base.state().ownedBy(FEATURE_PROGRAM));
    const engine = new MirrorEngine(new HollowEngine(new LiteSvmEngine({ features }), MAGIC_CONTEXT));
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

/** Time is the rollup's own; what else an engine has built in is on base as well. */
function loadSysvars(engine: MirrorEngine, accounts: OverlayAccounts): void {
  loadBuiltins(engine, {
    set(address, account) {
      if (account.owner === SYSVAR_OWNER) accounts.set(address, account);
    },
  });
}
