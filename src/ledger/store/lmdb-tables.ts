import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { open, type RootDatabase } from 'lmdb';
import type { KeyRange } from './account-keys.ts';
import { assertLmdbFile } from './lmdb-header.ts';
import { treeOf } from './lmdb-layout.ts';
import { OpenFile } from './open-file.ts';
import { PageWalk } from './page-walk.ts';
import { type Moment, SealedTable } from './sealed-table.ts';

/**
 * Changes with the format of anything written, in the journal too. Folders of a later version are refused.
 */
const FORMAT_VERSION = 7;

/**
 * The oldest readable format. It has no patches of large accounts, formats before 4 have no messages, those
 * before 5 have accounts by address alone, those before 6 transactions in other tables and encoded at length,
 * and those before 7 transactions in some bytes more, which are read as they are.
 */
const OLDEST_FORMAT = 2;

/** The format of a folder, and the one that it had until now. */
export interface RaisedFormat {
  readonly before: number;
  readonly format: number;
}

const TABLE_NAMES = [
  'accounts',
  'owned',
  'homes',
  'holdings',
  'records',
  'signatures',
  'naming',
  'history',
  'signed',
  'mentions',
  'messages',
] as const;

/**
 * Reads are of single pages here and there; what the kernel reads beside them is seldom wanted. lmdb knows
 * the option, its types do not (LMDB `MDB_NORDAHEAD`).
 */
const RANDOM_READS = { noReadAhead: true };

/** Behind a key: the next possible one. */
const AFTER_IT = Buffer.of(0);

/** The number of entries of each table. */
export type TableCounts = Readonly<Record<(typeof TABLE_NAMES)[number], number>>;

/** A state of the file that is held on to. */
export interface PinnedMoment {
  readonly transaction: Moment;
  release(): void;
}

/** The tables of a ledger in one LMDB file. */
export class LmdbTables {
  /** Accounts by address, of earlier formats: empty once they have been moved. */
  readonly accounts: SealedTable;
  /** Accounts by the first bytes of their owner, and address. */
  readonly owned: SealedTable;
  /** The first bytes of the owner of each account, by its address. */
  readonly homes: SealedTable;
  /** Nothing, by the first bytes of mint, wallet or delegate of each token account, and its address. */
  readonly holdings: SealedTable;
  /** Transactions by position, of earlier formats: empty once they have been moved, as the next two. */
  readonly records: SealedTable;
  /** Positions of these by signature. */
  readonly signatures: SealedTable;
  /** Nothing, by address and position of every one of these that names the address. */
  readonly naming: SealedTable;
  /** Transactions by position. */
  readonly history: SealedTable;
  /** Positions of transactions by the short key of their signature. */
  readonly signed: SealedTable;
  /** Positions of the transactions that name an address, by its short key and the first of them. */
  readonly mentions: SealedTable;
  /** Nothing, by the key of every landed message whose blockhash has not expired. */
  readonly messages: SealedTable;
  readonly #file: string;
  readonly #root: RootDatabase<Buffer, Uint8Array>;
  readonly #meta: SealedTable;
  /** For what is read without lmdb. */
  #pages: OpenFile | undefined;
  #isClosed = false;

  /**
   * Opens the file, creating it if it is missing.
   *
   * @throws {ServiceError} LEDGER_DAMAGED.
   * @throws {Error} if the file is not LMDB or has another format, or the system's error.
   */
  constructor(file: string) {
    assertLmdbFile(file);
    this.#file = file;
    this.#root = open({
      path: file,
      noSubdir: true,
      ...RANDOM_READS,
      maxDbs: 1 + TABLE_NAMES.length,
      // Of the records of its tables, which are never written here.
      encoding: 'binary',
      keyEncoding: 'binary',
      // Without overlapping sync a transaction completes only once it is on disk.
      overlappingSync: false,
      // lmdb's own batches have a promise that nobody can catch; its rejection would end the process.
      eventTurnBatching: false,
    });
    const place = { folder: dirname(file), file: basename(file) };
    this.#meta = new SealedTable(this.#root, 'meta', place);
    this.accounts = new SealedTable(this.#root, 'accounts', place);
    this.owned = new SealedTable(this.#root, 'owned', place);
    this.homes = new SealedTable(this.#root, 'homes', place);
    this.holdings = new SealedTable(this.#root, 'holdings', place);
    this.records = new SealedTable(this.#root, 'records', place);
    this.signatures = new SealedTable(this.#root, 'signatures', place);
    this.naming = new SealedTable(this.#root, 'naming', place);
    this.history = new SealedTable(this.#root, 'history', place);
    this.signed = new SealedTable(this.#root, 'signed', place);
    this.mentions = new SealedTable(this.#root, 'mentions', place);
    this.messages = new SealedTable(this.#root, 'messages', place);
    try {
      this.#checkFormat();
    } catch (error) {
      void this.#root.close();
      throw error;
    }
  }

  /**
   * Holds on to the present state for reads that go on later. Until it is released no page of it is reused.
   */
  pin(): PinnedMoment {
    const transaction = this.#root.useReadTransaction();
    return { transaction, release: () => transaction.done() };
  }

  /**
   * The entries of a table in a range, and neighbours of it, as of a moment. Good while that is held on to.
   *
   * @throws {ServiceError} LEDGER_DAMAGED, also on the way.
   */
  walkPages(table: SealedTable, range: KeyRange, { transaction }: PinnedMoment): PageWalk {
    const pages = (this.#pages ??= new OpenFile(this.#file));
    const damage = (what: string): Error => table.damaged(what);
    const { record, pageSize, lastTxnId } = this.#recordOf(table, transaction);
    if (record === undefined) throw damage('the tree is not in the file');
    return new PageWalk(pages, { pageBytes: pageSize, commit: lastTxnId }, treeOf(record), range, damage);
  }

  /**
   * Looks for a key that lmdb finds nothing at in the pages themselves: where the disk has put one in
   * another's place lmdb reads that, and does not find what was there.
   *
   * @throws {ServiceError} LEDGER_DAMAGED if a page is not the one of its tree, or has the key.
   */
  assertNothingAt(table: SealedTable, key: Buffer): void {
    const moment = this.pin();
    try {
      const walk = this.walkPages(table, { start: key, end: Buffer.concat([key, AFTER_IT]) }, moment);
      while (walk.nextPage()) {
        if (walk.nextKey()) throw table.damaged(`${key.toString('hex')} cannot be found`);
      }
    } finally {
      moment.release();
    }
  }

  /** Whether reads fail from now on. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Size of the file, bytes. */
  get bytes(): number {
    return statSync(this.#file).size;
  }

  /** All of them, with those of metadata. */
  all(): readonly SealedTable[] {
    return [this.#meta, ...TABLE_NAMES.map((name) => this[name])];
  }

  counts(): TableCounts {
    return {
      accounts: this.accounts.count,
      owned: this.owned.count,
      homes: this.homes.count,
      holdings: this.holdings.count,
      records: this.records.count,
      signatures: this.signatures.count,
      naming: this.naming.count,
      history: this.history.count,
      signed: this.signed.count,
      mentions: this.mentions.count,
      messages: this.messages.count,
    };
  }

  /** @throws {ServiceError} LEDGER_DAMAGED if a table does not have the expected number of entries. */
  checkCounts(expected: Partial<TableCounts>): void {
    const counts = this.counts();
    for (const name of TABLE_NAMES) {
      // An earlier format had no such table.
      const { [name]: written = 0 } = expected;
      if (counts[name] === written) continue;
      throw this[name].damaged(`${counts[name]} entries where ${written} were written`);
    }
  }

  /**
   * Records the format of this release as the one in use; durable on return.
   *
   * @param note writes what has to be known of the format before; called only if it was another one.
   * @returns null if it was in use already.
   */
  raiseFormat(note: (before: number) => void): RaisedFormat | null {
    const before = this.readMeta<number>('format') ?? FORMAT_VERSION;
    if (before === FORMAT_VERSION) return null;
    this.#root.transactionSync(() => {
      note(before);
      this.writeMeta('format', FORMAT_VERSION);
    });
    return { before, format: FORMAT_VERSION };
  }

  /** A metadata value by key; undefined if there is none. */
  readMeta<T>(name: string): T | undefined {
    const bytes = this.#meta.get(Buffer.from(name));
    return bytes === undefined ? undefined : (deserialize(bytes) as T);
  }

  /** Call only inside {@link write}. */
  writeMeta(name: string, value: unknown): void {
    this.#meta.put(Buffer.from(name), serialize(value));
  }

  /** Removes everything but the format. Call only inside {@link write}. */
  clear(): void {
    for (const name of TABLE_NAMES) this[name].clear();
  }

  /**
   * Runs `change` as one transaction: all of it, or nothing if it throws. Resolves once it survives a crash
   * of the machine.
   */
  async write(change: () => void): Promise<void> {
    try {
      // In lmdb only a child transaction is rolled back as a whole when its callback throws.
      await this.#root.childTransaction(change);
      // Reads of this turn of the event loop would go on to see what was there before.
      this.#root.resetReadTxn();
    } catch (failure) {
      throw await reasonOf(failure);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#pages?.close();
    await this.#root.close();
  }

  /** What lmdb has of the tree of a table (MDB_db of its mdb.c), and of the file. */
  #recordOf(table: SealedTable, transaction: Moment) {
    try {
      // Under its name, with the zero that lmdb-js ends names with.
      const record = this.#root.get(Buffer.from(`${table.name}\0`), { transaction });
      return { record, ...(this.#root.getStats() as { pageSize: number; lastTxnId: number }) };
    } catch (error) {
      throw table.reasonOf(error);
    }
  }

  #checkFormat(): void {
    if (this.#meta.count === 0) {
      this.#root.transactionSync(() => this.writeMeta('format', FORMAT_VERSION));
      return;
    }
    // Format 1 stored no version under this key.
    const version = this.readMeta<number>('format') ?? 1;
    if (version >= OLDEST_FORMAT && version <= FORMAT_VERSION) return;
    throw new Error(
      `it has format ${version}, and this release reads formats ${OLDEST_FORMAT} to ${FORMAT_VERSION}`,
    );
  }
}

/**
 * LMDB reports why a commit failed through a separate promise, which ends the process if it is not handled.
 */
async function reasonOf(failure: unknown): Promise<unknown> {
  const { commitError } = failure as { commitError?: Promise<never> };
  return commitError === undefined ? failure : commitError.catch((reason: unknown) => reason);
}
