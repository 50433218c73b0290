import { assertInvariant } from '../errors/assert-invariant.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { messageOf, type Transaction, withBlockhash } from '../solana/transaction.ts';
import { assertSettable } from './assert-settable.ts';
import type { Engine } from './engine/engine.ts';
import type { AccountChange, AccountObserver } from './ledger-events.ts';
import {
  type Execution,
  PREFLIGHT,
  type SimulateOptions,
  type Simulation,
  type TransactionRecord,
} from './ledger.ts';
import { type AccountKeys, resolveAccountKeys, signatureOf } from './run/account-keys.ts';
import {
  ACCOUNTS_BYTES_MAX,
  changedAccounts,
  DataCeiling,
  GONE,
  touchedPrograms,
  withoutSupplies,
} from './run/account-states.ts';
import { Executor, type LedgerRules, type Outcome } from './run/executor.ts';
import { findUsedNonce, type UsedNonce } from './run/nonce.ts';
import type { SeenMessages } from './run/seen-messages.ts';
import type { AccountState } from './state/accounts.ts';
import type { LandedMessage, TimeAnchor } from './store/store.ts';
import { FORWARDING_BLOCKS } from './time/blockhashes.ts';
import type { Timeline } from './time/timeline.ts';
import type { TransactionError } from './transaction-errors.ts';

/** Maximum number of reruns of a transaction. A supplied account can require another run. */
const SUPPLY_ROUNDS_MAX = 4;

const NONE: ReadonlySet<Address> = new Set();

interface BankParts {
  readonly engine: Engine;
  /** The same accounts that the engine has. */
  readonly accounts: AccountState;
  readonly timeline: Timeline;
  /** The recently landed messages. */
  readonly seen: SeenMessages;
  /** Fee per signature, in lamports; 0 on a ledger without fees. */
  readonly lamportsPerSignature: bigint;
  /** Rules in addition to Solana's, for example a rollup's. */
  readonly rules?: LedgerRules | undefined;
  /** Maximum total bytes of account data; default {@link ACCOUNTS_BYTES_MAX}. */
  readonly accountsBytesMax?: number | undefined;
  /** Maximum number of accounts per transaction; default Solana's 64. */
  readonly accountLocksMax?: number | undefined;
}

/** A transaction that landed. */
export interface Landed {
  readonly record: TransactionRecord;
  /** Every address the transaction names, including those loaded from lookup tables. */
  readonly addresses: readonly Address[];
  readonly changes: readonly AccountChange[];
  /** The transaction's message; undefined if its blockhash is not recent. */
  readonly message: LandedMessage | undefined;
}

/** Additional effects of one of the node's own transactions. */
export interface SideEffects {
  /** Log lines to append to the logs of the transaction. */
  readonly logs: readonly string[];
  /** Accounts set in the same commit without checks. An account with 0 lamports is removed. */
  readonly also: readonly (readonly [Address, Account])[];
}

/** Additional effects of one of the node's own transactions that may fail. */
export interface OwnEffects extends SideEffects {
  /** Accounts set before the transaction runs, in the same commit and without checks. */
  readonly first: readonly (readonly [Address, Account])[];
}

/** The result of one of the node's own transactions. */
export interface OwnResult {
  /** The signature, base58. */
  readonly signature: string;
  readonly err: TransactionError | null;
  readonly logs: readonly string[];
  /** The landed transaction; null if it failed. Nothing has changed then. */
  readonly landed: Landed | null;
}

/** The execution of a charged transaction, which always has balances and a fee. */
type ChargedExecution = Pick<TransactionRecord, keyof Execution>;

type Instead = NonNullable<SimulateOptions['instead']>;

/** The result of a simulation, which {@link Bank.submit} can reuse. */
interface Rehearsal {
  readonly simulation: Simulation;
  readonly keys: AccountKeys;
  readonly outcome: Outcome;
  /** The value of the bank's change counter when the simulation ran. */
  readonly changeCount: number;
}

interface BankResult {
  /** The signature, base58. */
  readonly signature: string;
  readonly err: TransactionError | null;
  /** The landed transaction; null if it was rejected before it was charged. */
  readonly landed: Landed | null;
}

/** The current state of a ledger, in memory. The engine has its own copy of the accounts. */
export class Bank {
  readonly accounts: AccountState;
  readonly timeline: Timeline;
  readonly lamportsPerSignature: bigint;
  readonly #engine: Engine;
  readonly #seen: SeenMessages;
  readonly #executor: Executor;
  readonly #rules: LedgerRules | undefined;
  readonly #ceiling: DataCeiling;
  readonly #accountLocksMax: number | undefined;
  /** Transactions that landed in the current slot. */
  #landedInSlot = 0;
  /** The slot of the last sysvar update. */
  #sysvarSlot = -1;
  /** Counts changes of the accounts and of the slot. */
  #changeCount = 0;
  #noteAccount: AccountObserver['noteAccount'] = () => undefined;

  constructor(parts: BankParts) {
    const { engine, accounts, timeline, seen, lamportsPerSignature, rules } = parts;
    this.accounts = accounts;
    this.timeline = timeline;
    this.lamportsPerSignature = lamportsPerSignature;
    this.#engine = engine;
    this.#seen = seen;
    this.#rules = rules;
    this.#accountLocksMax = parts.accountLocksMax;
    this.#ceiling = new DataCeiling(accounts, parts.accountsBytesMax ?? ACCOUNTS_BYTES_MAX);
    const isFree = lamportsPerSignature === 0n;
    this.#executor = new Executor(engine, accounts, { isFree, ceiling: this.#ceiling });
  }

  /** Maximum total bytes of account data. */
  get accountsBytesMax(): number {
    return this.#ceiling.bytesMax;
  }

  /** Sets the callback for account changes, replacing the previous one. */
  observe(noteAccount: AccountObserver['noteAccount']): void {
    this.#noteAccount = noteAccount;
  }

  /** Advances to the current slot of the clock, at most to `slotMax`. Returns whether the slot changed. */
  advance(slotMax: number): boolean {
    if (!this.timeline.advance(slotMax)) return false;
    assertInvariant(this.timeline.slot <= slotMax, 'the lease covers the slot');
    this.#beginSlot();
    return true;
  }

  /** Jumps to a later slot; see {@link Timeline.jump}. */
  jump(to: TimeAnchor): void {
    assertInvariant(to.slot > this.timeline.slot, 'slots never repeat');
    this.timeline.jump(to);
    this.#beginSlot();
  }

  /** Updates the sysvars that change with the slot. Call it only before they are read. */
  writeSysvars(): void {
    if (this.#sysvarSlot === this.timeline.slot) return;
    for (const [address, account] of this.timeline.sysvars()) this.#setAccount(address, account);
    this.#sysvarSlot = this.timeline.slot;
  }

  /**
   * Sets accounts in order. Stops at the first account that the engine rejects, and returns the error as
   * `refusal`. Accounts with 0 lamports are removed.
   *
   * @param isBounded whether to enforce the limit on account data.
   * @throws {ServiceError} LEDGER_FULL, or an error of {@link assertSettable}. Nothing has changed then.
   */
  setAccounts(
    entries: readonly (readonly [Address, Account])[],
    { isBounded }: { readonly isBounded: boolean },
  ): {
    readonly changes: readonly AccountChange[];
    readonly refusal: ServiceError | null;
  } {
    assertSettable(entries, this.accounts);
    if (isBounded) this.#ceiling.assertRoom(entries);
    const changes: AccountChange[] = [];
    for (const [address, account] of entries) {
      try {
        changes.push(this.#setAccount(address, account));
      } catch (cause) {
        const reason = `The engine rejects ${address}: ${(cause as Error).message}`;
        return { changes, refusal: new ServiceError('INVALID_ARGUMENTS', reason, { address }, { cause }) };
      }
    }
    return { changes, refusal: null };
  }

  /**
   * Runs a transaction and discards its effects.
   *
   * @throws {TransactionRejected} if the message is malformed or its lookup tables cannot be resolved.
   */
  simulate(transaction: Transaction, options: SimulateOptions): Simulation {
    return this.#rehearse(transaction, options, false).simulation;
  }

  /**
   * Simulates a transaction that is about to be submitted.
   *
   * @param instead as in {@link submit}.
   * @throws {TransactionRejected} as {@link simulate}.
   */
  rehearse(transaction: Transaction, instead: Instead = []): Rehearsal {
    return this.#rehearse(transaction, { ...PREFLIGHT, instead }, true);
  }

  /**
   * Runs a transaction and applies its effects, unless it is rejected before it is charged.
   *
   * @param rehearsal a simulation of the same transaction. If it succeeded and nothing has changed since, its
   *   outcome is applied without a second run.
   * @param instead as in {@link simulate}. A transaction that changes one of these accounts fails.
   * @throws {TransactionRejected} as {@link simulate}.
   */
  submit(transaction: Transaction, rehearsal: Rehearsal | null = null, instead: Instead = []): BankResult {
    this.writeSysvars();
    const signature = signatureOf(transaction);
    if (rehearsal !== null && this.#isGood(rehearsal)) {
      return {
        signature,
        err: null,
        landed: this.#land(transaction, signature, rehearsal.keys, rehearsal.outcome),
      };
    }
    const keys = this.#keysOf(transaction);
    const isSigned = this.#engine.hasValidSignatures(transaction);
    if (!isSigned) return { signature, err: 'SignatureFailure', landed: null };
    const outcome = this.#tryWith(instead, transaction, keys, {
      ageMax: this.timeline.blockhashAgeMax,
      isForGood: true,
    });
    const landed = outcome.charged ? this.#land(transaction, signature, keys, outcome) : null;
    return { signature, err: outcome.execution.err, landed };
  }

  /**
   * Runs and lands one of the node's own transactions, without checking its blockhash and signatures. Its
   * additional effects are part of the same commit. A transaction that fails does not land and changes
   * nothing.
   */
  perform(transaction: Transaction, { first, logs, also }: OwnEffects): OwnResult {
    this.writeSysvars();
    const signature = signatureOf(transaction);
    const { keys, outcome } = this.#holding(first, () => {
      const named = this.#keysOf(transaction);
      return { keys: named, outcome: this.#run(transaction, named, null) };
    });
    const execution = withLogs(outcome.execution, logs);
    const { err } = execution;
    if (err !== null) return { signature, err, logs: execution.logs, landed: null };
    const lasting = { ...outcome, execution, also: [...(outcome.also ?? []), ...also] };
    return {
      signature,
      err,
      logs: execution.logs,
      landed: this.#land(transaction, signature, keys, lasting, first),
    };
  }

  /** @throws {TransactionRejected} */
  #keysOf(transaction: Transaction): AccountKeys {
    return resolveAccountKeys(transaction, this.accounts, this.timeline, this.#accountLocksMax);
  }

  #rehearse(
    transaction: Transaction,
    { verifySignatures, replaceBlockhash, instead = [] }: SimulateOptions,
    isForGood: boolean,
  ): Rehearsal {
    const { accounts, timeline } = this;
    const subject = replaceBlockhash ? withBlockhash(transaction, timeline.blockhash) : transaction;
    this.writeSysvars();
    const keys = this.#keysOf(subject);
    const isSigned = !verifySignatures || this.#engine.hasValidSignatures(transaction);
    // Blockhashes that are about to expire are rejected, to leave time for forwarding (Agave
    // `MAX_TRANSACTION_FORWARDING_DELAY`).
    const ageMax = timeline.blockhashAgeMax - FORWARDING_BLOCKS;
    const outcome = isSigned
      ? this.#tryWith(instead, subject, keys, { ageMax, isForGood })
      : this.#executor.refuseSignatures(keys);
    const { execution, after } = outcome;
    const simulation: Simulation = {
      slot: timeline.slot,
      replacementBlockhash: replaceBlockhash
        ? {
            blockhash: timeline.blockhashText,
            lastValidBlockHeight: timeline.blockHeight + timeline.blockhashAgeMax,
          }
        : null,
      accountAfter(address) {
        const index = keys.addresses.indexOf(address);
        return (index < 0 ? accounts.get(address) : after[index]) ?? null;
      },
      ...execution,
    };
    return { simulation, keys, outcome, changeCount: this.#changeCount };
  }

  /**
   * Whether a submission would have the same outcome. A failed simulation is not reused, because simulations
   * accept fewer blockhashes: the submission may succeed, or use its blockhash instead of a nonce.
   */
  #isGood({ simulation, changeCount }: Rehearsal): boolean {
    return simulation.err === null && changeCount === this.#changeCount;
  }

  /** @throws {Error} if the engine rejects a program. Nothing has changed then. */
  #setAccount(address: Address, account: Account): AccountChange {
    this.#changeCount++;
    // The engine is updated first, because it may reject a program.
    this.#engine.setAccount(address, account);
    const before = this.accounts.get(address) ?? null;
    this.accounts.set(address, account);
    this.#noteAccount(address, account);
    return { address, before, after: account.lamports === 0n ? null : account };
  }

  #beginSlot(): void {
    // Blockhashes age with each slot, so earlier rehearsals are invalid.
    this.#changeCount++;
    this.#seen.advanceTo(this.timeline.blockHeight);
    this.#landedInSlot = 0;
  }

  /**
   * Calls {@link #try} with accounts that replace the ledger's during the run. If the result is going to be
   * applied, a transaction that changes a replaced account fails, because it would overwrite the ledger's own
   * account. For the same reason the rules create no accounts at replaced addresses.
   */
  #tryWith(
    instead: Instead,
    transaction: Transaction,
    keys: AccountKeys,
    { ageMax, isForGood }: { readonly ageMax: number; readonly isForGood: boolean },
  ): Outcome {
    const replaced = isForGood ? this.#replacedBy(instead) : NONE;
    return this.#holding(instead, () => {
      const outcome = this.#try(transaction, keys, ageMax, replaced);
      return changesAny(replaced, keys, outcome)
        ? this.#executor.fail(transaction, keys, 'InvalidWritableAccount')
        : outcome;
    });
  }

  #replacedBy(instead: Instead): ReadonlySet<Address> {
    const addresses = instead.map(([address]) => address);
    return new Set(addresses.filter((address) => this.accounts.get(address) !== undefined));
  }

  /**
   * Runs a transaction unless its blockhash has expired or it has already landed.
   *
   * @param replaced addresses at which the rules must not create an account.
   */
  #try(transaction: Transaction, keys: AccountKeys, ageMax: number, replaced: ReadonlySet<Address>): Outcome {
    const { accounts, timeline } = this;
    const age = timeline.ageOf(blockhashOf(transaction));
    const isRecent = age !== undefined && age <= ageMax;
    // A nonce is used only if the blockhash is not recent (Agave `check_transaction_age`).
    const nonce = isRecent ? null : findUsedNonce(transaction, accounts, timeline.blockhash);
    if (!isRecent && nonce === null) return this.#executor.refuse(transaction, keys, 'BlockhashNotFound');
    // Nonce transactions need no such check, because landing advances the nonce.
    if (age !== undefined && this.#seen.has(messageOf(transaction), timeline.blockHeight - age)) {
      return this.#executor.refuse(transaction, keys, 'AlreadyProcessed');
    }
    return this.#run(transaction, keys, nonce, replaced);
  }

  #run(
    transaction: Transaction,
    keys: AccountKeys,
    nonce: UsedNonce | null,
    replaced: ReadonlySet<Address> = NONE,
  ): Outcome {
    const fault = this.#rules?.admit(transaction, keys) ?? null;
    if (fault !== null) return this.#executor.fail(transaction, keys, fault);
    const outcome = this.#execute(transaction, keys, nonce, replaced);
    return this.#applyRules(transaction, keys, outcome);
  }

  /** Runs a transaction, and reruns it with the accounts that the rules supply. */
  #execute(
    transaction: Transaction,
    keys: AccountKeys,
    nonce: UsedNonce | null,
    replaced: ReadonlySet<Address>,
  ): Outcome {
    const execute = (): Outcome => this.#executor.execute(transaction, keys, this.timeline.blockhash, nonce);
    const supplied = new Map<Address, Account>();
    let outcome = execute();
    for (let round = 0; round < SUPPLY_ROUNDS_MAX; round++) {
      const more = this.#rules?.supply?.(transaction, keys, outcome) ?? [];
      const added = more.filter(([address]) => !supplied.has(address) && !replaced.has(address));
      if (added.length === 0) break;
      for (const [address, account] of added) supplied.set(address, account);
      outcome = this.#holding([...supplied], execute);
    }
    if (supplied.size === 0 || outcome.execution.err !== null) return outcome;
    const made = withoutSupplies(outcome, keys, supplied);
    return this.#ceiling.isExceededBy(made.before, made.after)
      ? this.#executor.fail(transaction, keys, 'WouldExceedAccountDataTotalLimit')
      : made;
  }

  #holding<T>(entries: readonly (readonly [Address, Account])[], run: () => T): T {
    const before = entries.map(([address]) => [address, this.accounts.own.get(address) ?? GONE] as const);
    try {
      for (const [address, account] of entries) this.#setAccount(address, account);
      return run();
    } finally {
      for (const [address, account] of before) this.#setAccount(address, account);
    }
  }

  /** Applies the ledger's rules to the outcome of a run. */
  #applyRules(transaction: Transaction, keys: AccountKeys, outcome: Outcome): Outcome {
    const { execution } = outcome;
    if (this.#rules === undefined || execution.err !== null) return outcome;
    const verdict = this.#rules.check(transaction, keys, outcome);
    const run = withLogs(execution, verdict.logs);
    if ('also' in verdict) return { ...outcome, execution: run, also: verdict.also };
    return this.#executor.fail(transaction, keys, verdict.err, { ...run, returnData: null });
  }

  #land(
    transaction: Transaction,
    signature: string,
    keys: AccountKeys,
    outcome: Outcome,
    first: readonly (readonly [Address, Account])[] = [],
  ): Landed {
    const { timeline } = this;
    const { execution, before, after, also = [] } = outcome;
    assertInvariant(outcome.charged, 'only a charged transaction lands');
    assertInvariant(this.#sysvarSlot === timeline.slot, 'a transaction lands in the slot it ran in');
    assertInvariant(after.length === keys.addresses.length, 'an outcome has the state of every key');
    // If an address occurs several times, the last entry counts.
    const changed = new Map([...first, ...changedAccounts(keys, before, after), ...also]);
    this.#changeCount++;
    const changes = Array.from(changed, ([address, account]) => {
      const old = this.accounts.get(address) ?? null;
      this.#engine.setAccount(address, account);
      const copy = copyAccount(account);
      this.accounts.set(address, copy);
      this.#noteAccount(address, copy);
      return { address, before: old, after: copy.lamports === 0n ? null : copy };
    });
    // The engine loads code when a program account is set. It must load changed ProgramData again.
    for (const program of touchedPrograms(keys, before, after)) this.#engine.setAccount(...program);
    const age = timeline.ageOf(blockhashOf(transaction));
    const { blockHeight } = timeline;
    const message =
      age === undefined ? undefined : this.#seen.add(messageOf(transaction), blockHeight - age, blockHeight);
    const record = {
      signature,
      slot: timeline.slot,
      index: this.#landedInSlot++,
      blockTime: timeline.unixTimestamp,
      // Copied, because the caller's bytes may be a view of a larger request.
      wire: new Uint8Array(transaction.wire),
      ...(execution as ChargedExecution),
    };
    return { record, addresses: keys.addresses, changes, message };
  }
}

function changesAny(addresses: ReadonlySet<Address>, keys: AccountKeys, outcome: Outcome): boolean {
  if (addresses.size === 0 || outcome.execution.err !== null) return false;
  const { before, after, also = [] } = outcome;
  return [...changedAccounts(keys, before, after), ...also].some(([address]) => addresses.has(address));
}

function withLogs(run: Execution, logs: readonly string[] = []): Execution {
  return logs.length === 0 ? run : { ...run, logs: [...run.logs, ...logs] };
}

function blockhashOf({ wire, blockhashAt }: Transaction): Uint8Array {
  return wire.subarray(blockhashAt, blockhashAt + 32);
}

/** Copies the fields of an account, without references to the engine. */
function copyAccount({ lamports, owner, data, executable, rentEpoch }: Account): Account {
  return { lamports, owner, data, executable, rentEpoch };
}
