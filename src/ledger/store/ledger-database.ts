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

/** The names of what is kept besides accounts and transactions. */
const STATE = 'state';
const TIME_ANCHORS = 'timeAnchors';
const ACKNOWLEDGED = 'acknowledged';

/**
 * For each commit so many transactions may be forgotten: a limit that was lowered is reached step by step.
 */
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
   * Opens the file, making it where there is none.
   *
   * @param transactionsMax so many transactions are kept, and those of the newest slots in any case.
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

  /** The number of the last entry of the journal that is in here. */
  get taken(): number {
    return this.#taken;
  }

  /** The number of an entry that is known to have been acknowledged; 0 when none is. */
  get acknowledged(): number {
    return this.#tables.readMeta<number>(ACKNOWLEDGED) ?? 0;
  }

  /** As of the last entry that is in here. */
  get summary(): LedgerSummary {
    return this.#summary;
  }

  /** The oldest slot whose transactions are all kept; 0 while none were forgotten. */
  get firstSlot(): number {
    return this.#firstSlot;
  }

  /** Bytes of the file. */
  get bytes(): number {
    return this.#tables.bytes;
  }

  /** @throws {ServiceError} LEDGER_DAMAGED, as all that read. */
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

  /** An account as it is kept; undefined where there is none. */
  accountValue(address: Buffer): Buffer | undefined {
    return this.#tables.accounts.get(address);
  }

  /** The error for something wrong with an account. */
  damagedAccount(what: string): Error {
    return this.#tables.accounts.damaged(what);
  }

  /**
   * Keeps releases that cannot read this format from opening the folder. Done before it
   * writes.
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
   * Landed transactions of slots from `first` on that landed before the position `end`, if one is given; in
   * order.
   */
  *recordsBetween(first: number, end: RecordPosition | null): Iterable<TransactionRecord> {
    const start = encodePosition({ slot: Math.max(first, this.#firstSlot), index: 0 });
    const range = { start, end: end === null ? LAST_POSITION : encodePosition(end) };
    for (const [key, value] of this.#tables.records.range(range)) {
      yield decodeRecord(readKeptRecord(decodePosition(key), value).value);
    }
  }

  /**
   * The up to `limit` transactions that landed last, and before the position `end`, if one is given; the
   * newest first.
   */
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

  /** The records of a page of an address's history as they are kept, the newest first. */
  valuesNaming({ address, before, until, limit }: HistoryPage): Buffer[] {
    const prefix = Buffer.from(addressBytes(address));
    const start = Buffer.concat([prefix, before === undefined ? LAST_POSITION : encodePosition(before)]);
    const page: Buffer[] = [];
    for (const [key] of this.#tables.naming.range({ start, end: prefix, reverse: true })) {
      const position = decodePosition(key, ADDRESS_BYTES);
      if (before !== undefined && comparePositions(position, before) >= 0) continue;
      if (until !== undefined && comparePositions(position, until) <= 0) break;
      const value = page.length < limit ? this.#valueAt(key.subarray(ADDRESS_BYTES)) : null;
      if (value === null) break;
      page.push(value);
    }
    return page;
  }

  /** Takes over the next commits of the journal: all of them, or none when it fails. */
  async take(commits: readonly NumberedCommit[]): Promise<void> {
    const before = this.#firstSlot;
    const summary = commits.reduce((sum, { commit }) => summarize(sum, commit), this.#summary);
    const taken = commits.at(-1)?.sequence ?? this.#taken;
    try {
      await this.#tables.write(() => this.#write(commits, summary, taken));
    } catch (error) {
      this.#firstSlot = before;
      throw error;
    }
    this.#summary = summary;
    this.#taken = taken;
  }

  /**
   * Gives back the memory that reading took: what LMDB read of its file stays resident until the file is
   * closed. Nothing may be read or taken over meanwhile.
   *
   * @throws as {@link LmdbTables}.
   */
  async reopen(): Promise<void> {
    await this.#tables.close();
    this.#tables = new LmdbTables(this.#file);
  }

  /** Keeps that an entry was acknowledged, of which the journal must have everything that is not in here. */
  async noteAcknowledged(sequence: number): Promise<void> {
    await this.#tables.write(() => this.#tables.writeMeta(ACKNOWLEDGED, sequence));
  }

  async close(): Promise<void> {
    await this.#tables.close();
  }

  /** The first slot moves before what lies below it is seen to be gone. */
  #write(commits: readonly NumberedCommit[], summary: LedgerSummary, taken: number): void {
    writeCommits(this.#tables, commits);
    if (commits.some(({ commit }) => commit.identity !== undefined)) this.#firstSlot = 0;
    const newest = commits.findLast(({ commit }) => commit.record !== undefined)?.commit.record;
    if (newest !== undefined) {
      const slot = firstSlotOfWindow(newest.position.slot, summary.timeAnchors);
      const limits = { kept: this.#transactionsMax, slot, count: commits.length * FORGOTTEN_PER_COMMIT };
      this.#firstSlot = Math.max(this.#firstSlot, forgetOldest(this.#tables, limits) ?? 0);
    }
    const { timeAnchors, ...state } = summary;
    if (timeAnchors !== this.#summary.timeAnchors) this.#tables.writeMeta(TIME_ANCHORS, timeAnchors);
    const counts = this.#tables.counts();
    const written: DatabaseState = { ...state, taken, firstSlot: this.#firstSlot, counts };
    this.#tables.writeMeta(STATE, written);
  }

  /** The record at a position as it is kept; null for one that was forgotten. */
  #valueAt(key: Buffer): Buffer | null {
    const position = decodePosition(key);
    if (position.slot < this.#firstSlot) return null;
    const { records } = this.#tables;
    const value = records.get(key);
    if (value === undefined)
      throw records.damaged(`nothing is kept of slot ${position.slot}, index ${position.index}`);
    return readKeptRecord(position, value).value;
  }
}
