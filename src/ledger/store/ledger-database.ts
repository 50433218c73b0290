import { assertInvariant } from '../../errors/assert-invariant.ts';
import type { Account } from '../../solana/account.ts';
import { ADDRESS_BYTES, addressBytes, addressOf, type Address } from '../../solana/address.ts';
import type { TransactionRecord } from '../execution.ts';
import { decodeAccount } from './account-codec.ts';
import { forgetOldest } from './forget-oldest.ts';
import { firstSlotOfWindow } from './history-limit.ts';
import { readKeptRecord } from './kept-record.ts';
import { LmdbTables, type TableCounts } from './lmdb-tables.ts';
import type { NumberedCommit } from './recent-commits.ts';
import { decodeRecord } from './record-codec.ts';
import { comparePositions, decodePosition, encodePosition, POSITION_BYTES } from './record-position.ts';
import type { HistoryPage, RecordPosition, TimeAnchor } from './store.ts';
import { type LedgerSummary, NO_LEDGER, summarize } from './summary.ts';
import { writeCommits } from './write-commits.ts';

/** Keys of the metadata. */
const STATE = 'state';
const TIME_ANCHORS = 'timeAnchors';
const ACKNOWLEDGED = 'acknowledged';

/** Transactions forgotten at most per commit. A lowered limit is thus reached step by step. */
const FORGOTTEN_PER_COMMIT = 2;

/** Sorts after every position. */
const LAST_POSITION = Buffer.alloc(POSITION_BYTES, 0xff);

interface DatabaseState extends Omit<LedgerSummary, 'timeAnchors'> {
  readonly taken: number;
  readonly firstSlot: number;
  readonly counts: TableCounts;
}

/** A ledger up to some entry of its journal, in an LMDB file. */
export class LedgerDatabase {
  readonly #file: string;
  #tables: LmdbTables;
  readonly #transactionsMax: number;
  #taken: number;
  #summary: LedgerSummary;
  #firstSlot: number;

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

  /** @throws {ServiceError} LEDGER_DAMAGED, as do all reads. */
  *accounts(): Iterable<readonly [Address, Account]> {
    const { accounts } = this.#tables;
    let count = 0;
    for (const [address, value] of accounts.range({})) {
      count++;
      yield [addressOf(address), decodeAccount(value)];
    }
    if (count !== accounts.count)
      throw accounts.damaged(`${count} of ${accounts.count} entries can be found`);
  }

  /** The stored bytes of an account; undefined if there is none. */
  accountValue(address: Buffer): Buffer | undefined {
    return this.#tables.accounts.get(address);
  }

  /** The error for a damaged account. */
  damagedAccount(what: string): Error {
    return this.#tables.accounts.damaged(what);
  }

  /**
   * Marks the file so that older releases, which cannot read this format, refuse it. Called before the first
   * write.
   */
  raiseFormat(): void {
    this.#tables.raiseFormat();
  }

  /** A landed transaction by its first signature, 64 bytes. */
  record(signature: Uint8Array): TransactionRecord | null {
    const position = this.#tables.signatures.get(signature);
    const value = position === undefined ? null : this.#valueAt(position);
    return value && decodeRecord(value);
  }

  /**
   * Landed transactions of slots from `first` on, in order; only those before the position `end`, if given.
   */
  *recordsBetween(first: number, end: RecordPosition | null): Iterable<TransactionRecord> {
    const start = encodePosition({ slot: Math.max(first, this.#firstSlot), index: 0 });
    const range = { start, end: end === null ? LAST_POSITION : encodePosition(end) };
    for (const [key, value] of this.#tables.records.range(range)) {
      yield decodeRecord(readKeptRecord(decodePosition(key), value).value);
    }
  }

  /** The last `limit` transactions, newest first; only those before the position `end`, if given. */
  newestRecords(limit: number, end: RecordPosition | null): TransactionRecord[] {
    const start = end === null ? LAST_POSITION : encodePosition(end);
    const newest: TransactionRecord[] = [];
    for (const [key, value] of this.#tables.records.range({ start, reverse: true })) {
      const position = decodePosition(key);
      if (position.slot < this.#firstSlot || newest.length >= limit) break;
      if (end !== null && comparePositions(position, end) >= 0) continue;
      newest.push(decodeRecord(readKeptRecord(position, value).value));
    }
    return newest;
  }

  /** The stored records of one page of an address's history, newest first. */
  valuesNaming({ address, before, until, limit }: HistoryPage): Buffer[] {
    const prefix = Buffer.from(addressBytes(address));
    const start = Buffer.concat([prefix, before === undefined ? LAST_POSITION : encodePosition(before)]);
    const page: Buffer[] = [];
    for (const [key] of this.#tables.naming.range({ start, end: prefix, reverse: true })) {
      const position = decodePosition(key, ADDRESS_BYTES);
      if (before !== undefined && comparePositions(position, before) >= 0) continue;
      if (until !== undefined && comparePositions(position, until) <= 0) break;
      const value = page.length < limit ? this.#valueAt(key.subarray(ADDRESS_BYTES)) : null;
      // The page is full, or the record was forgotten, and then so were all older ones.
      if (value === null) break;
      page.push(value);
    }
    return page;
  }

  /** Takes over the next commits of the journal, all or none. */
  async take(commits: readonly NumberedCommit[]): Promise<void> {
    const [next] = commits;
    assertInvariant(
      next === undefined || next.sequence === this.#taken + 1 || next.commit.identity !== undefined,
      'the database skips no entry but those before a new ledger',
    );
    const before = this.#firstSlot;
    const summary = commits.reduce((sum, { commit }) => summarize(sum, commit), this.#summary);
    const taken = commits.at(-1)?.sequence ?? this.#taken;
    try {
      await this.#tables.write(() => this.#write(commits, summary, taken));
    } catch (error) {
      // The transaction was rolled back, and with it the forgetting.
      this.#firstSlot = before;
      throw error;
    }
    this.#summary = summary;
    this.#taken = taken;
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
  #write(commits: readonly NumberedCommit[], summary: LedgerSummary, taken: number): void {
    writeCommits(this.#tables, commits);
    // A new ledger has its whole history.
    if (commits.some(({ commit }) => commit.identity !== undefined)) this.#firstSlot = 0;
    const newest = commits.findLast(({ commit }) => commit.record !== undefined)?.commit.record;
    if (newest !== undefined) {
      const slot = firstSlotOfWindow(newest.position.slot, summary.timeAnchors);
      const limits = { kept: this.#transactionsMax, slot, count: commits.length * FORGOTTEN_PER_COMMIT };
      this.#firstSlot = Math.max(this.#firstSlot, forgetOldest(this.#tables, limits) ?? 0);
    }
    const { timeAnchors, ...state } = summary;
    if (timeAnchors !== this.#summary.timeAnchors) this.#tables.writeMeta(TIME_ANCHORS, timeAnchors);
    // Compared when the file is opened: checksums protect entries, but do not notice missing ones.
    const counts = this.#tables.counts();
    const written: DatabaseState = { ...state, taken, firstSlot: this.#firstSlot, counts };
    this.#tables.writeMeta(STATE, written);
  }

  /** The stored record at a position; null if it was forgotten. */
  #valueAt(key: Buffer): Buffer | null {
    const position = decodePosition(key);
    if (position.slot < this.#firstSlot) return null;
    const { records } = this.#tables;
    const value = records.get(key);
    if (value === undefined)
      throw records.damaged(`nothing is stored for slot ${position.slot}, index ${position.index}`);
    return readKeptRecord(position, value).value;
  }
}
