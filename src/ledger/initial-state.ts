import type { Clock } from '../ports/clock.ts';
import { SYSVAR_OWNER } from '../programs/addresses.ts';
import { FEATURE_PROGRAM, isActiveFeature } from '../programs/feature.ts';
import { EPOCH_SCHEDULE_SYSVAR, STAKE_HISTORY_SYSVAR } from '../programs/sysvars.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { LAMPORTS_PER_SIGNATURE } from '../solana/signature-fee.ts';
import { Bank } from './bank.ts';
import type { Engine, EngineLimits } from './engine/engine.ts';
import { LiteSvmEngine, type LiteSvmEngineOptions, mainnetFeatures } from './engine/litesvm-engine.ts';
import { isSetAtStart, LoadingEngine } from './engine/loading-engine.ts';
import type { AccountEntry } from './genesis/genesis.ts';
import { accountLocksMax } from './run/account-keys.ts';
import type { LedgerRules } from './run/executor.ts';
import { SeenMessages } from './run/seen-messages.ts';
import { Accounts, type AccountState } from './state/accounts.ts';
import type { Commit, LedgerIdentity, LedgerStore, TimeAnchor } from './store/store.ts';
import { FIRST_SLOT } from './time/block-calendar.ts';
import { SLOT_MS } from './time/slot-clock.ts';
import { epochScheduleSysvar, readEpochSlots, stakeHistorySysvar, sysvarAccount } from './time/sysvars.ts';
import { Timeline } from './time/timeline.ts';
import { LEASE_SLOTS } from './writer.ts';

/** The state a ledger opens with, from its genesis or its store. */
export interface InitialState {
  readonly identity: LedgerIdentity;
  readonly bank: Bank;
  /** The commit that makes this state durable. */
  readonly commit: Commit;
}

/** The engine of a bank and its accounts. */
export interface BankBackend {
  readonly engine: Engine;
  /** The accounts, including the engine's built-in ones. */
  readonly accounts: AccountState;
  readonly rules?: LedgerRules;
}

/** Options for a bank that do not depend on the stored state. */
export interface BankOptions {
  readonly clock: Clock;
  /** Duration of a slot, in ms; default 400. */
  readonly slotMs?: number;
  /** Lamports per signature; default 5000. 0 means no fees at all, and the fee payer need not exist. */
  readonly lamportsPerSignature?: 0 | 5_000;
  /** Blocks for which a blockhash stays valid; default 150, as on Solana. */
  readonly blockhashAgeMax?: number;
  /** Minimum first slot. Skipped slots have no block, and the ledger's time does not change. */
  readonly slotMin?: number;
  /**
   * Maximum total bytes of account data; default 512 MiB. A ledger that already exceeds it opens, but rejects
   * changes that add data.
   */
  readonly accountsBytesMax?: number;
  /** Transaction limits; default Solana's, with logs of any length. */
  readonly engineLimits?: EngineLimits;
  /** Creates the backend of each bank; default a new engine with its own accounts. */
  readonly createBackend?: () => BankBackend;
}

/** Creates the state of a new ledger from its genesis accounts. */
export function createFromGenesis(
  identity: LedgerIdentity,
  genesis: Iterable<AccountEntry>,
  options: BankOptions,
): InitialState {
  const { clock, slotMs = SLOT_MS, slotMin = 0 } = options;
  const accounts = [...genesis];
  const slot = Math.max(FIRST_SLOT, slotMin);
  const timeAnchor = { slot, unixMs: clock.now(), slotMs, afterSlot: slot - 1 };
  const commit = { identity, accounts, timeAnchor, slotCeiling: slot + LEASE_SLOTS };
  return { identity, bank: openBank(identity, accounts, [timeAnchor], options), commit };
}

/** Restores the state from a store. The ledger resumes above every slot that clients may have seen. */
export function resumeFromStore(
  identity: LedgerIdentity,
  store: LedgerStore,
  options: BankOptions,
): InitialState {
  const timeAnchor = anchorAfter(store, options);
  const anchors = [...store.timeAnchors, timeAnchor];
  const bank = openBank(identity, [...store.accounts()], anchors, options, store);
  return { identity, bank, commit: { timeAnchor, slotCeiling: timeAnchor.slot + LEASE_SLOTS } };
}

function openBank(
  identity: LedgerIdentity,
  entries: readonly AccountEntry[],
  anchors: readonly TimeAnchor[],
  options: BankOptions,
  store: LedgerStore | null = null,
): Bank {
  const { clock, blockhashAgeMax, accountsBytesMax, engineLimits = {} } = options;
  const lamportsPerSignature = BigInt(options.lamportsPerSignature ?? LAMPORTS_PER_SIGNATURE);
  const features = featuresOf(entries);
  const backend = options.createBackend?.() ?? createDefaultBackend(features, options);
  const { engine, accounts, rules } = backend;
  if (options.createBackend === undefined) loadBuiltins(engine, accounts);
  loadAccounts(engine, accounts, entries, options.createBackend !== undefined);
  const { blockhashSeed } = identity;
  const timeline = new Timeline(clock, {
    anchors,
    blockhashSeed,
    lamportsPerSignature,
    blockhashAgeMax,
    epochSlots: epochSlotsOf(entries),
  });
  // Messages of earlier processes are looked up in the store.
  const earlier = store && { heightMax: timeline.blockHeight, store };
  const seen = new SeenMessages(timeline.blockhashAgeMax, earlier);
  const bank = new Bank({
    engine,
    accounts,
    timeline,
    seen,
    lamportsPerSignature,
    rules,
    accountsBytesMax,
    accountLocksMax: accountLocksMax(features ?? NO_FEATURES, engineLimits.accountLocks),
  });
  // Replaces the engine's shorter sysvars now, because their lamports count towards the total.
  bank.writeSysvars();
  return bank;
}

/**
 * Returns the time anchor of a reopened ledger. After a crash all leased slots count as passed. The ledger's
 * time then stands still until the clock catches up, for at most one lease.
 */
function anchorAfter({ timeAnchors, slotCeiling }: LedgerStore, options: BankOptions): TimeAnchor {
  const { clock, slotMs = SLOT_MS, slotMin = 0 } = options;
  const { aheadMs = 0 } = timeAnchors.at(-1) as TimeAnchor;
  const slot = Math.max(slotCeiling + 1, slotMin);
  return { slot, unixMs: clock.now() + aheadMs, slotMs, afterSlot: slotCeiling, aheadMs };
}

/**
 * Returns the active features of a ledger: mainnet's, changed by its feature accounts (Agave
 * `compute_active_feature_set`). Returns undefined if there are no feature accounts.
 */
function featuresOf(entries: readonly AccountEntry[]): ReadonlySet<Address> | undefined {
  const accounts = entries.filter(([, { owner }]) => owner === FEATURE_PROGRAM);
  if (accounts.length === 0) return undefined;
  const features = new Set(mainnetFeatures());
  for (const [address, account] of accounts) {
    if (isActiveFeature(account)) features.add(address);
    else features.delete(address);
  }
  return features;
}

const NO_FEATURES: ReadonlySet<Address> = new Set();

/** Returns the number of slots per epoch from the stored EpochSchedule account; undefined for the default. */
function epochSlotsOf(entries: readonly AccountEntry[]): number | undefined {
  const schedule = entries.findLast(([address]) => address === EPOCH_SCHEDULE_SYSVAR);
  return schedule && readEpochSlots(schedule[1]);
}

function createDefaultBackend(
  features: LiteSvmEngineOptions['features'],
  { engineLimits: limits }: BankOptions,
): BankBackend {
  const accounts = new Accounts();
  const read = (address: Address): Account | undefined => accounts.get(address);
  return { engine: new LoadingEngine(new LiteSvmEngine({ features, limits, isBare: true }), read), accounts };
}

/** Adds the engine's built-in accounts. Sysvars are made rent-exempt, as on the network. */
export function loadBuiltins(engine: Engine, accounts: Pick<AccountState, 'set'>): void {
  for (const [address, account] of engine.builtinAccounts()) {
    if (account.owner !== SYSVAR_OWNER) {
      accounts.set(address, account);
      continue;
    }
    const sysvar = ownSysvar(address) ?? sysvarAccount(account.data);
    // The stake program would parse empty space after the entries as entries, and panic.
    const forPrograms = address === STAKE_HISTORY_SYSVAR ? { ...sysvar, data: account.data } : sysvar;
    engine.setAccount(address, forPrograms);
    accounts.set(address, sysvar);
  }
}

/** Returns the ledger's version of a constant sysvar; undefined to use the engine's version. */
function ownSysvar(address: Address): Account | undefined {
  if (address === EPOCH_SCHEDULE_SYSVAR) return epochScheduleSysvar();
  return address === STAKE_HISTORY_SYSVAR ? stakeHistorySysvar() : undefined;
}

/** @param atOnce whether to load every account into the engine now, instead of on first use. */
function loadAccounts(
  engine: Engine,
  accounts: AccountState,
  entries: readonly AccountEntry[],
  atOnce: boolean,
): void {
  for (const [address, account] of programsLast(entries)) {
    // On the network an inactive feature has no account.
    if (isInactiveFeature([address, account])) continue;
    if (atOnce || isSetAtStart(account)) engine.setAccount(address, account);
    accounts.set(address, account);
  }
}

/** Yields programs last, because the engine needs their ProgramData when they are set. */
function* programsLast(entries: readonly AccountEntry[]): Iterable<AccountEntry> {
  for (const entry of entries) if (!entry[1].executable) yield entry;
  for (const entry of entries) if (entry[1].executable) yield entry;
}

const isInactiveFeature = ([, account]: AccountEntry): boolean =>
  account.owner === FEATURE_PROGRAM && !isActiveFeature(account);
