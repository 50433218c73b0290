import { SYSVAR_OWNER } from '../programs/addresses.ts';
import { FEATURE_PROGRAM, isActiveFeature } from '../programs/feature.ts';
import type { Clock } from '../ports/clock.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { Bank } from './bank.ts';
import type { Engine } from './engine/engine.ts';
import type { EngineLimits } from './engine/engine-limits.ts';
import { mainnetFeatures } from './engine/features.ts';
import { LiteSvmEngine, type LiteSvmEngineOptions } from './engine/litesvm-engine.ts';
import { isLoadedAtOnce, LoadingEngine } from './engine/loading-engine.ts';
import type { AccountEntry } from './genesis/genesis.ts';
import { accountLocksMax } from './run/account-locks.ts';
import { SeenMessages } from './run/seen-messages.ts';
import type { LedgerRules } from './run/ledger-rules.ts';
import type { AccountState } from './state/account-state.ts';
import { Accounts } from './state/accounts.ts';
import type { Commit, LedgerIdentity, LedgerStore, TimeAnchor } from './store/store.ts';
import { FIRST_SLOT } from './time/block-calendar.ts';
import { LEASE_SLOTS } from './time/slot-lease.ts';
import { epochScheduleSysvar, readEpochSlots, stakeHistorySysvar, sysvarAccount } from './time/sysvars.ts';
import { EPOCH_SCHEDULE_SYSVAR, STAKE_HISTORY_SYSVAR } from '../programs/sysvars.ts';
import { Timeline } from './time/timeline.ts';

/** The state a ledger opens with: that of its genesis, or that of its store. */
export interface InitialState {
  readonly identity: LedgerIdentity;
  readonly bank: Bank;
  /** Makes this state durable. */
  readonly commit: Commit;
}

/** What a bank runs on: an engine and its accounts. */
export interface BankBackend {
  readonly engine: Engine;
  /** Holds what the engine has built in. */
  readonly accounts: AccountState;
  readonly rules?: LedgerRules;
}

/** What does not depend on what is kept. */
interface BankOptions {
  readonly clock: Clock;
  /** Length of a slot, ms. */
  readonly slotMs: number;
  readonly lamportsPerSignature: bigint;
  /** Blocks for which a blockhash is good after its own; Solana's 150 when left out. */
  readonly blockhashAgeMax?: number | undefined;
  /**
   * The slot it is opened at, at the least; slots that are jumped over have no block, and the time is not
   * moved.
   */
  readonly slotMin?: number | undefined;
  /** Bytes of data the accounts may have together; 512 MiB when left out. */
  readonly accountsBytesMax?: number | undefined;
  /** What transactions are allowed, where that is not what Solana allows. */
  readonly engineLimits?: EngineLimits | undefined;
  /** Creates what each bank runs on; a new engine with its built-in accounts when left out. */
  readonly createBackend?: (() => BankBackend) | undefined;
}

/** The state of a new ledger: the accounts of its genesis. */
export function createFromGenesis(
  identity: LedgerIdentity,
  genesis: Iterable<AccountEntry>,
  options: BankOptions,
): InitialState {
  const { clock, slotMs, slotMin = 0 } = options;
  const accounts = [...genesis];
  const slot = Math.max(FIRST_SLOT, slotMin);
  const timeAnchor = { slot, unixMs: clock.now(), slotMs, afterSlot: slot - 1 };
  const commit = { identity, accounts, timeAnchor, slotCeiling: slot + LEASE_SLOTS };
  return { identity, bank: openBank(identity, accounts, [timeAnchor], options), commit };
}

/** The state a store keeps. It resumes above every slot that was ever shown. */
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
  const { clock, lamportsPerSignature, blockhashAgeMax, accountsBytesMax, engineLimits = {} } = options;
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
  // The store is asked for a message of earlier processes when it is needed.
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
  // The engine's own are shorter, so from here on no lamports appear.
  bank.writeSysvars();
  return bank;
}

/**
 * The time of the ledger is that of the clock, and ahead of it by what it was moved. The slots that were only
 * leased when it crashed count as passed, so after a crash its time stands still until the clock is there:
 * for a lease at most.
 */
function anchorAfter({ timeAnchors, slotCeiling }: LedgerStore, options: BankOptions): TimeAnchor {
  const { clock, slotMs, slotMin = 0 } = options;
  const { aheadMs = 0 } = timeAnchors.at(-1) as TimeAnchor;
  const slot = Math.max(slotCeiling + 1, slotMin);
  return { slot, unixMs: clock.now() + aheadMs, slotMs, afterSlot: slotCeiling, aheadMs };
}

/**
 * The features a ledger has, by the accounts that it keeps, as banks of Agave find theirs
 * (`compute_active_feature_set`): those of mainnet, but for what its accounts say. Undefined where they say
 * nothing.
 */
function featuresOf(kept: readonly AccountEntry[]): ReadonlySet<Address> | undefined {
  const told = kept.filter(([, { owner }]) => owner === FEATURE_PROGRAM);
  if (told.length === 0) return undefined;
  const features = new Set(mainnetFeatures());
  for (const [address, account] of told) {
    if (isActiveFeature(account)) features.add(address);
    else features.delete(address);
  }
  return features;
}

const NO_FEATURES: ReadonlySet<Address> = new Set();

/** The length of its epochs, by the account that it keeps where that is not the usual one. */
function epochSlotsOf(kept: readonly AccountEntry[]): number | undefined {
  const schedule = kept.findLast(([address]) => address === EPOCH_SCHEDULE_SYSVAR);
  return schedule && readEpochSlots(schedule[1]);
}

function createDefaultBackend(
  features: LiteSvmEngineOptions['features'],
  { engineLimits: limits }: BankOptions,
): BankBackend {
  const accounts = new Accounts();
  const read = (address: Address): Account | undefined => accounts.get(address);
  return { engine: new LoadingEngine(new LiteSvmEngine({ features, limits }), read), accounts };
}

/** What the engine has built in; its sysvars are made rent-exempt, as they are on the network. */
export function loadBuiltins(engine: Engine, accounts: Pick<AccountState, 'set'>): void {
  for (const [address, account] of engine.builtinAccounts()) {
    if (account.owner !== SYSVAR_OWNER) {
      accounts.set(address, account);
      continue;
    }
    const sysvar = ownSysvar(address) ?? sysvarAccount(account.data);
    // The stake program takes room for entries in the history for entries that are there, and panics.
    const forPrograms = address === STAKE_HISTORY_SYSVAR ? { ...sysvar, data: account.data } : sysvar;
    engine.setAccount(address, forPrograms);
    accounts.set(address, sysvar);
  }
}

/** A sysvar that is another one here than in the engine, and does not change. */
function ownSysvar(address: Address): Account | undefined {
  if (address === EPOCH_SCHEDULE_SYSVAR) return epochScheduleSysvar();
  return address === STAKE_HISTORY_SYSVAR ? stakeHistorySysvar() : undefined;
}

/** @param atOnce whether the engine is given those as well that others get when they are first named. */
function loadAccounts(
  engine: Engine,
  accounts: AccountState,
  entries: readonly AccountEntry[],
  atOnce: boolean,
): void {
  for (const [address, account] of programsLast(entries)) {
    // It says that the feature is not active, which is told by there being no account, as on the network.
    if (isInactiveFeature([address, account])) continue;
    if (atOnce || isLoadedAtOnce(account)) engine.setAccount(address, account);
    accounts.set(address, account);
  }
}

/** Programs come last: the engine looks for their data when they are put in place. */
function* programsLast(entries: readonly AccountEntry[]): Iterable<AccountEntry> {
  for (const entry of entries) if (!entry[1].executable) yield entry;
  for (const entry of entries) if (entry[1].executable) yield entry;
}

const isInactiveFeature = ([, account]: AccountEntry): boolean =>
  account.owner === FEATURE_PROGRAM && !isActiveFeature(account);
