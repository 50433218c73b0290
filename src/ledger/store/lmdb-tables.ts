import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { open, type RootDatabase } from 'lmdb';
import { assertLmdbFile } from './lmdb-header.ts';
import { SealedTable } from './sealed-table.ts';

/**
 * Changes with every change of what is written, here and in the journal; a folder of a later version is not
 * read.
 */
const FORMAT_VERSION = 3;

/**
 * The oldest format that is read: of large accounts it has no patches, and nothing else that this one does
 * not have.
 */
const OLDEST_FORMAT = 2;

const TABLE_NAMES = ['accounts', 'records', 'signatures', 'naming'] as const;

/** How many entries each table has. */
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
   * Opens the file, making it where there is none.
   *
   * @throws {ServiceError} LEDGER_DAMAGED.
   * @throws {Error} for a file that is none of LMDB's or holds another format, or the system's error.
   */
  constructor(file: string) {
    assertLmdbFile(file);
    this.#file = file;
    this.#root = open({
      path: file,
      noSubdir: true,
      maxDbs: 1 + TABLE_NAMES.length,
      // Without overlapping, a transaction is only done when it is on the disk.
      overlappingSync: false,
      // Batches of lmdb's own have a promise that nobody can catch: its rejection would end the process.
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

  /** Bytes of the file. */
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

  /** @throws {ServiceError} LEDGER_DAMAGED when a table has not as many entries as it had. */
  checkCounts(expected: TableCounts): void {
    const counts = this.counts();
    for (const name of TABLE_NAMES) {
      if (counts[name] === expected[name]) continue;
      throw this[name].damaged(`${counts[name]} entries where ${expected[name]} were written`);
    }
  }

  /** Notes that from now on things are written as this release writes them; on the disk when it returns. */
  raiseFormat(): void {
    if (this.readMeta<number>('format') === FORMAT_VERSION) return;
    this.#root.transactionSync(() => this.writeMeta('format', FORMAT_VERSION));
  }

  /** Something small kept under a name; undefined when nothing is. */
  readMeta<T>(name: string): T | undefined {
    const bytes = this.#meta.get(Buffer.from(name));
    return bytes === undefined ? undefined : (deserialize(bytes) as T);
  }

  /** Only inside of {@link write}. */
  writeMeta(name: string, value: unknown): void {
    this.#meta.put(Buffer.from(name), serialize(value));
  }

  /** Forgets all but the format. Only inside of {@link write}. */
  clear(): void {
    for (const name of TABLE_NAMES) this[name].clear();
  }

  /**
   * Does everything in `change`, or nothing when it throws; resolves once it will survive the end of the
   * machine.
   */
  async write(change: () => void): Promise<void> {
    try {
      // A child transaction, because only those are undone as a whole when something in them fails.
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
    // Format 1 did not keep its version under this name.
    const version = this.readMeta<number>('format') ?? 1;
    if (version >= OLDEST_FORMAT && version <= FORMAT_VERSION) return;
    throw new Error(
      `it has format ${version}, and this release reads formats ${OLDEST_FORMAT} to ${FORMAT_VERSION}`,
    );
  }
}

/** LMDB tells why a commit failed by a promise of its own, which ends the process when nobody looks at it. */
async function reasonOf(failure: unknown): Promise<unknown> {
  const { commitError } = failure as { commitError?: Promise<never> };
  return commitError === undefined ? failure : commitError.catch((reason: unknown) => reason);
}
