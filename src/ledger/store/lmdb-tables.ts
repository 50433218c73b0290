import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { open, type RootDatabase } from 'lmdb';
import { assertLmdbFile } from './lmdb-header.ts';
import { SealedTable } from './sealed-table.ts';

/**
 * Changes with the format of anything written, in the journal too. Folders of a later version are refused.
 */
const FORMAT_VERSION = 3;

/** The oldest readable format. It differs only in having no patches of large accounts. */
const OLDEST_FORMAT = 2;

const TABLE_NAMES = ['accounts', 'records', 'signatures', 'naming'] as const;

/** The number of entries of each table. */
export type TableCounts = Readonly<Record<(typeof TABLE_NAMES)[number], number>>;

/** The tables of a ledger in one LMDB file. */
export class LmdbTables {
  /** Accounts by address. */
  readonly accounts: SealedTable;
  /** Transactions by position. */
  readonly records: SealedTable;
  /** Positions of transactions by signature. */
  readonly signatures: SealedTable;
  /** Nothing, by address and position of every transaction that names the address. */
  readonly naming: SealedTable;
  readonly #file: string;
  readonly #root: RootDatabase;
  readonly #meta: SealedTable;

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
      maxDbs: 1 + TABLE_NAMES.length,
      // Without overlapping sync a transaction completes only once it is on disk.
      overlappingSync: false,
      // lmdb's own batches have a promise that nobody can catch; its rejection would end the process.
      eventTurnBatching: false,
    });
    const place = { folder: dirname(file), file: basename(file) };
    this.#meta = new SealedTable(this.#root, 'meta', place);
    this.accounts = new SealedTable(this.#root, 'accounts', place);
    this.records = new SealedTable(this.#root, 'records', place);
    this.signatures = new SealedTable(this.#root, 'signatures', place);
    this.naming = new SealedTable(this.#root, 'naming', place);
    try {
      this.#checkFormat();
    } catch (error) {
      void this.#root.close();
      throw error;
    }
  }

  /** Size of the file, bytes. */
  get bytes(): number {
    return statSync(this.#file).size;
  }

  counts(): TableCounts {
    return {
      accounts: this.accounts.count,
      records: this.records.count,
      signatures: this.signatures.count,
      naming: this.naming.count,
    };
  }

  /** @throws {ServiceError} LEDGER_DAMAGED if a table does not have the expected number of entries. */
  checkCounts(expected: TableCounts): void {
    const counts = this.counts();
    for (const name of TABLE_NAMES) {
      if (counts[name] === expected[name]) continue;
      throw this[name].damaged(`${counts[name]} entries where ${expected[name]} were written`);
    }
  }

  /** Records the format of this release as the one in use; durable on return. */
  raiseFormat(): void {
    if (this.readMeta<number>('format') === FORMAT_VERSION) return;
    this.#root.transactionSync(() => this.writeMeta('format', FORMAT_VERSION));
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
    } catch (failure) {
      throw await reasonOf(failure);
    }
  }

  async close(): Promise<void> {
    await this.#root.close();
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
