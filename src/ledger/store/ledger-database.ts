import { assertInvariant } from '../../errors/assert-invariant.ts';
import type { ServiceError } from '../../errors/service-error.ts';
import type { Account } from '../../solana/account.ts';
import { addressBytes, type Address } from '../../solana/address.ts';
import type { AccountRange, AccountTotals } from '../state/account-source.ts';
import type { DataTest, Look } from '../state/steady-entries.ts';
import type { TransactionRecord } from '../execution.ts';
import { addressesOf } from './account-addresses.ts';
import { decodeOwnedAccount } from './account-codec.ts';
import { walkAccounts } from './account-walk.ts';
import { AccountWrites, NO_ACCOUNTS, readAccountValue } from './account-writes.ts';
import { forgetOldest } from './forget-oldest.ts';
import { firstSlotOfWindow } from './history-limit.ts';
import { moveOldestRecords } from './history/move-records.ts';
import { findSigned, newestRecords, recordsBetween, recordsNaming } from './history/read-records.ts';
import { LmdbTables, type RaisedFormat, type TableCounts } from './lmdb-tables.ts';
import { decodeMessageKey, encodeMessageKey } from './message-key.ts';
import type { NumberedCommit } from './recent-commits.ts';
import { decodeRecord } from './record-codec.ts';
import { encodePosition } from './record-position.ts';
import { Scrub } from './scrub.ts';
import type { HistoryPage, LedgerStore, MessageName, RecordPosition, TimeAnchor } from './store.ts';
import { type LedgerSummary, NO_LEDGER, summarize } from './summary.ts';
import { writeCommits } from './write-commits.ts';

/** Keys of the metadata. */
const STATE = 'state';
const TIME_ANCHORS = 'timeAnchors';
const ACKNOWLEDGED = 'acknowledged';
const WITHOUT_MESSAGES = 'withoutMessages';

const NONE_WITHOUT_MESSAGES: WithoutMessages = { sequence: 0, slot: 0 };

/** Transactions forgotten at most per commit. A lowered limit is thus reached step by step. */
const FORGOTTEN_PER_COMMIT = 2;

interface DatabaseState extends Omit<LedgerSummary, 'timeAnchors'> {
  readonly taken: number;
  readonly firstSlot: number;
  readonly counts: TableCounts;
  /** Of the accounts that are found by their owners. */
  readonly totals: AccountTotals;
}

/** Accounts of an earlier format moved in one step, and bytes of them. */
const MOVED_AT_ONCE = { count: 2_048, bytes: 4 * 1024 * 1024 } as const;

/** The first format with messages. */
const FORMAT_WITH_MESSAGES = 4;

/** What was written by releases that kept no messages. */
interface WithoutMessages {
  /** The number of the last journal entry. */
  readonly sequence: number;
  /** The first slot after all of them. */
  readonly slot: number;
}

/** What a store says of history that it does not have any more. */
export type ForgottenHistory = Pick<LedgerStore, 'firstSlot' | 'recordCount'>;

/** A ledger up to some entry of its journal, in an LMDB file. */
export class LedgerDatabase {
  readonly #file: string;
  readonly #scrub = new Scrub();
  #tables: LmdbTables;
  readonly #transactionsMax: number;
  #taken: number;
  #summary: LedgerSummary;
  #firstSlot: number;
  #totals: AccountTotals;
  #unmovedAccounts: number;
  #unmovedRecords: number;

  /**
   * Opens the file, creating it if it is missing.
   *
   * @param transactionsMax how many transactions are kept; those of the newest slots are kept in any case.
   * @throws as {@link LmdbTables}.
   */
  constructor(file: string, transactionsMax: number) {
    this.#file = file;
    this.#transactionsMax = transactionsMax;
    this.#tables = new LmdbTables(file);
    try {
      const state = this.#tables.readMeta<DatabaseState>(STATE);
      if (state !== undefined) this.#tables.checkCounts(state.counts);
      const timeAnchors = this.#tables.readMeta<readonly TimeAnchor[]>(TIME_ANCHORS) ?? [];
      this.#summary = { ...NO_LEDGER, ...state, timeAnchors };
      this.#taken = state?.taken ?? 0;
      this.#firstSlot = state?.firstSlot ?? 0;
      this.#totals = state?.totals ?? NO_ACCOUNTS;
      this.#unmovedAccounts = this.#tables.accounts.count;
      this.#unmovedRecords = this.#tables.records.count;
    } catch (error) {
      void this.#tables.close();
      throw error;
    }
  }

  /** The number of the last journal entry that is in the database. */
  get taken(): number {
    return this.#taken;
  }

  /** The number of an entry known to have been acknowledged; 0 if none is. */
  get acknowledged(): number {
    return this.#tables.readMeta<number>(ACKNOWLEDGED) ?? 0;
  }

  /** The summary as of the last entry in the database. */
  get summary(): LedgerSummary {
    return this.#summary;
  }

  /** The oldest slot whose transactions are complete; 0 while none were forgotten. */
  get firstSlot(): number {
    return this.#firstSlot;
  }

  /** Size of the file, bytes. */
  get bytes(): number {
    return this.#tables.bytes;
  }

  /** What the accounts come to together. */
  get totals(): AccountTotals {
    return this.#totals;
  }

  /** How many accounts of an earlier format have to be moved before any is read or written. */
  get unmovedAccounts(): number {
    return this.#unmovedAccounts;
  }

  /** How many transactions of an earlier format have to be moved before any is read or written. */
  get unmovedRecords(): number {
    return this.#unmovedRecords;
  }

  /** Whether everything is where this release keeps it. */
  get isMoved(): boolean {
    return this.#unmovedAccounts === 0 && this.#unmovedRecords === 0;
  }

  /** Moves some transactions to where they are now, as {@link moveSomeAccounts}. */
  async moveSomeRecords(): Promise<void> {
    await this.#tables.write(() => {
      moveOldestRecords(this.#tables);
      this.#writeState(this.#summary, this.#taken, this.#totals);
    });
    this.#unmovedRecords = this.#tables.records.count;
  }

  /** Moves some accounts to where they are now, all or none. A crash loses and doubles nothing. */
  async moveSomeAccounts(): Promise<void> {
    const writes = new AccountWrites(this.#tables, this.#totals);
    await this.#tables.write(() => {
      const { accounts } = this.#tables;
      let bytes = 0;
      // Listed before anything is removed, because removals move the cursor.
      const next = [...accounts.range({ limit: MOVED_AT_ONCE.count })];
      for (const [address, value] of next) {
        if (bytes >= MOVED_AT_ONCE.bytes) break;
        bytes += value.length;
        writes.put(address, value);
        accounts.remove(address);
      }
      this.#writeState(this.#summary, this.#taken, writes.totals);
    });
    this.#totals = writes.totals;
    this.#unmovedAccounts = this.#tables.accounts.count;
  }

  /** @throws {ServiceError} LEDGER_DAMAGED, as do all reads. */
  *accounts(): Iterable<readonly [Address, Account]> {
    for (const look of this.walk({ all: true }, () => true)) if (look !== null) yield look;
  }

  /** Goes through accounts as they are now; see {@link walkAccounts}. */
  walk(range: AccountRange, test: DataTest): IterableIterator<Look> {
    return walkAccounts(this.#tables, range, test);
  }

  /** See {@link addressesOf}. */
  addressesOf(range: AccountRange, max: number): readonly Address[] | null {
    return addressesOf(this.#tables, range, max);
  }

  /** An account; undefined only if it is certain that there is none. */
  account(address: Address): Account | undefined {
    const bytes = addressBytes(address);
    const value = this.accountValue(bytes);
    if (value !== undefined) return decodeOwnedAccount(value);
    this.#tables.assertNothingAt(this.#tables.homes, Buffer.from(bytes));
    return undefined;
  }

  /** Checks some entries; see {@link Scrub}. */
  checkSome(): readonly ServiceError[] {
    return this.#scrub.step(this.#tables);
  }

  /** Checks all entries, some at each step; see {@link Scrub}. */
  *checkAll(): Iterable<readonly ServiceError[]> {
    const scrub = new Scrub();
    while (scrub.rounds === 0) yield scrub.step(this.#tables);
  }

  /**
   * Has a ledger whose transactions are all there count others that were forgotten before it was written
   * here.
   *
   * @param firstSlot the oldest slot whose transactions are complete.
   * @param recordCount how many transactions ever landed.
   */
  async noteForgotten({ firstSlot, recordCount }: ForgottenHistory): Promise<void> {
    this.#firstSlot = firstSlot;
    this.#summary = { ...this.#summary, recordCount };
    await this.#tables.write(() => this.#writeState(this.#summary, this.#taken, this.#totals));
  }

  /** The stored bytes of an account; undefined if there is none. */
  accountValue(address: Uint8Array): Buffer | undefined {
    return readAccountValue(this.#tables, address);
  }

  /** The error for a damaged account. */
  damagedAccount(what: string): Error {
    return this.#tables.owned.damaged(what);
  }

  /**
   * Marks the file so that older releases, which cannot read this format, refuse it. Called before the first
   * write.
   *
   * @param before what there is already, in case a release wrote it that kept no messages.
   * @returns null if it has this format already.
   */
  raiseFormat(before: WithoutMessages): RaisedFormat | null {
    return this.#tables.raiseFormat((format) => {
      if (format < FORMAT_WITH_MESSAGES) this.#tables.writeMeta(WITHOUT_MESSAGES, before);
    });
  }

  /** Whether a message has landed; false only if that is certain, as it would be taken once more. */
  hasMessage(message: MessageName): boolean {
    const key = encodeMessageKey(message);
    if (this.#tables.messages.get(key) !== undefined) return true;
    this.#tables.assertNothingAt(this.#tables.messages, key);
    return false;
  }

  *messages(): Iterable<MessageName> {
    for (const [key] of this.#tables.messages.range({})) yield decodeMessageKey(key);
  }

  /** How many transactions there are from the first whole slot on. */
  get keptCount(): number {
    const { history } = this.#tables;
    let forgotten = 0;
    for (const _ of history.range({ end: encodePosition({ slot: this.#firstSlot, index: 0 }) })) forgotten++;
    return history.count - forgotten;
  }

  /** Whether each transaction that is added lets go of an older one, or more. */
  get isHistoryFull(): boolean {
    return this.#tables.history.count >= this.#transactionsMax;
  }

  /** What of the ledger was written by releases that kept no messages. */
  get withoutMessages(): WithoutMessages {
    return this.#tables.readMeta<WithoutMessages>(WITHOUT_MESSAGES) ?? NONE_WITHOUT_MESSAGES;
  }

  /** A landed transaction by its first signature, 64 bytes. */
  record(signature: Uint8Array): TransactionRecord | null {
    const value = findSigned(this.#tables, signature, this.#firstSlot);
    return value === undefined ? null : decodeRecord(value);
  }

  /**
   * Landed transactions of slots from `first` on, in order; only those before the position `end`, if given.
   */
  *recordsBetween(first: number, end: RecordPosition | null): Iterable<TransactionRecord> {
    const from = Math.max(first, this.#firstSlot);
    for (const value of recordsBetween(this.#tables, from, end)) yield decodeRecord(value);
  }

  /** The last `limit` transactions, newest first; only those before the position `end`, if given. */
  newestRecords(limit: number, end: RecordPosition | null): TransactionRecord[] {
    return newestRecords(this.#tables, limit, end, this.#firstSlot).map(decodeRecord);
  }

  /** The stored records of one page of an address's history, newest first. */
  valuesNaming(page: HistoryPage): Buffer[] {
    return recordsNaming(this.#tables, page, this.#firstSlot);
  }

  /** Takes over the next commits of the journal, all or none. */
  async take(commits: readonly NumberedCommit[]): Promise<void> {
    const [next] = commits;
    assertInvariant(
      next === undefined || next.sequence === this.#taken + 1 || next.commit.identity !== undefined,
      'the database skips no entry but those before a new ledger',
    );
    assertInvariant(this.isMoved, 'what an earlier release wrote is moved before anything is written');
    const before = this.#firstSlot;
    const summary = commits.reduce((sum, { commit }) => summarize(sum, commit), this.#summary);
    const taken = commits.at(-1)?.sequence ?? this.#taken;
    const writes = new AccountWrites(this.#tables, this.#totals);
    try {
      await this.#tables.write(() => this.#write(commits, writes, summary, taken));
    } catch (error) {
      // The transaction was rolled back, and with it the forgetting.
      this.#firstSlot = before;
      throw error;
    }
    this.#summary = summary;
    this.#taken = taken;
    this.#totals = writes.totals;
  }

  /**
   * Releases memory used by reads: pages that LMDB has read stay resident until the file is closed. No read
   * or take-over may run meanwhile.
   *
   * @throws as {@link LmdbTables}.
   */
  async reopen(): Promise<void> {
    await this.#tables.close();
    this.#tables = new LmdbTables(this.#file);
  }

  /**
   * Records that an entry was acknowledged. The journal must then hold every entry up to it that the database
   * lacks.
   */
  async noteAcknowledged(sequence: number): Promise<void> {
    await this.#tables.write(() => this.#tables.writeMeta(ACKNOWLEDGED, sequence));
  }

  async close(): Promise<void> {
    await this.#tables.close();
  }

  /** `firstSlot` moves up before the transactions below it disappear. */
  #write(
    commits: readonly NumberedCommit[],
    writes: AccountWrites,
    summary: LedgerSummary,
    taken: number,
  ): void {
    writeCommits(this.#tables, writes, commits);
    // A new ledger has its whole history.
    const began = commits.findLast(({ commit }) => commit.identity !== undefined);
    if (began !== undefined) {
      this.#firstSlot = 0;
      if (began.sequence > this.withoutMessages.sequence) {
        this.#tables.writeMeta(WITHOUT_MESSAGES, NONE_WITHOUT_MESSAGES);
      }
    }
    const newest = commits.findLast(({ commit }) => commit.record !== undefined)?.commit.record;
    if (newest !== undefined) {
      const slot = firstSlotOfWindow(newest.position.slot, summary.timeAnchors);
      const limits = { kept: this.#transactionsMax, slot, count: commits.length * FORGOTTEN_PER_COMMIT };
      this.#firstSlot = Math.max(this.#firstSlot, forgetOldest(this.#tables, limits) ?? 0);
    }
    if (summary.timeAnchors !== this.#summary.timeAnchors) {
      this.#tables.writeMeta(TIME_ANCHORS, summary.timeAnchors);
    }
    this.#writeState(summary, taken, writes.totals);
  }

  #writeState(summary: LedgerSummary, taken: number, totals: AccountTotals): void {
    const { identity, slotCeiling, recordCount } = summary;
    // Compared when the file is opened: checksums protect entries, but do not notice missing ones.
    const counts = this.#tables.counts();
    assertInvariant(counts.owned === totals.count, 'every account is counted');
    const written: DatabaseState = {
      identity,
      slotCeiling,
      recordCount,
      taken,
      firstSlot: this.#firstSlot,
      counts,
      totals,
    };
    this.#tables.writeMeta(STATE, written);
  }
}
