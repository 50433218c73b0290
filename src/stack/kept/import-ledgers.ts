import { existsSync, readdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { AccountsJudge } from '../../ledger/portable/accounts-judge.ts';
import { invalidImport, readRows } from '../../ledger/portable/read-rows.ts';
import type { HeadRow, LedgerRow, Row } from '../../ledger/portable/rows.ts';
import { StoreFiller } from '../../ledger/portable/store-filler.ts';
import { TransactionsJudge } from '../../ledger/portable/transactions-judge.ts';
import { noteForgotten, openLedgerFolder } from '../../ledger/store/ledger-folder.ts';
import type { LedgerStore } from '../../ledger/store/store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import { rollupFolderOf } from '../ledger-home.ts';
import { BLOCKHASH_AGES, KEEP_ALL } from './kept-ledgers.ts';
import type { TellProgress } from './progress.ts';

/** Rows between two reports of progress. */
const ROWS_AT_ONCE = 1_024;

/** What is thrown where the system does not let a ledger be written. */
const UNWRITABLE: ReadonlySet<string> = new Set(['LEDGER_STOPPED', 'LEDGER_FOLDER_UNREADABLE']);

/** Where an export is put. */
interface ImportPlace {
  /** A folder that is empty, or yet to be made. */
  readonly folder: string;
  readonly logger: Logger;
  readonly random: Random;
  /** Told the folder that is written first, beside the other; what it returns is called at the end. */
  readonly onWriting?: (beside: string) => () => void;
}

/** What was put there. */
interface ImportSummary {
  /** Absolute path. */
  readonly folder: string;
  readonly genesisHash: string;
  readonly lines: number;
}

/**
 * Makes a data folder of an export. It appears under its name as a whole, once everything is on the disk and
 * the digest of the export was found right.
 *
 * @throws {ServiceError} CONFIG_INVALID naming the line of what cannot be read, or where something is in the
 *   folder; LEDGER_FOLDER_UNREADABLE where it cannot be written.
 */
export async function importLedgers(
  chunks: AsyncIterable<Buffer>,
  { folder, logger, random, onWriting }: ImportPlace,
  tell: TellProgress,
): Promise<ImportSummary> {
  const path = resolve(folder);
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw new ServiceError('CONFIG_INVALID', `There is something in ${path}: name a new folder`);
  }
  const beside = `${path}.import-${Buffer.from(random.bytes(4)).toString('hex')}`;
  const writing = new WritingFolder(beside, logger);
  const release = onWriting?.(beside);
  try {
    const { genesisHash, lines } = await writeRows(chunks, writing, tell);
    await rename(beside, path);
    await flushFolder(dirname(path));
    return { folder: path, genesisHash, lines };
  } catch (error) {
    await writing.discard();
    if (!isServiceError(error) || !UNWRITABLE.has(error.code)) throw error;
    const remedy = 'see to it that this user may write there and that there is room';
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    const message = `The export cannot be written to ${path}: ${reason}. Choose another folder, or ${remedy}`;
    throw new ServiceError('LEDGER_FOLDER_UNREADABLE', message, { folder: path }, { cause: error });
  } finally {
    release?.();
  }
}

async function writeRows(
  chunks: AsyncIterable<Buffer>,
  writing: WritingFolder,
  tell: TellProgress,
): Promise<{ readonly genesisHash: string; readonly lines: number }> {
  let head: HeadRow | null = null;
  let lines = 0;
  for await (const { row, line } of readRows(chunks)) {
    lines = line;
    if (line % ROWS_AT_ONCE === 0) tell('lines', line);
    if ((row.type === 'head') !== (head === null))
      throw invalidImport(line, 'the head stands first, and once');
    if (row.type === 'head') head = row;
    else if (head !== null) await writing.add(row, head, line);
  }
  if (head === null) throw invalidImport(1, 'is missing');
  return { genesisHash: head.genesisHash, lines };
}

/** A data folder that is being written, ledger after ledger. */
class WritingFolder {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #written: LedgerRow['name'][] = [];
  #open: { readonly row: LedgerRow; readonly folder: string; readonly store: LedgerStore } | null = null;
  #filler: StoreFiller | null = null;
  #judge: TransactionsJudge | null = null;
  #accounts = new AccountsJudge();

  constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
  }

  /** Writes what stands behind the head, the end included. */
  async add(row: Exclude<Row, HeadRow>, head: HeadRow, line: number): Promise<void> {
    if (row.type === 'ledger') {
      await this.#finish(line);
      if (row.name === 'base' && row.genesisHash !== head.genesisHash) {
        throw invalidImport(line, 'genesisHash is not that of the head');
      }
      if (head.ledgers[this.#written.length] !== row.name) {
        throw invalidImport(line, 'name is not that which the head has in its place');
      }
      await this.#begin(row);
    } else if (row.type === 'end') {
      await this.#finish(line);
      if (this.#written.length < head.ledgers.length)
        throw invalidImport(line, 'not all ledgers stand before it');
    } else {
      if (this.#filler === null) throw invalidImport(line, 'no ledger stands before it');
      if (row.type === 'account') {
        const fault = this.#accounts.faultOf(row);
        if (fault !== null) throw invalidImport(line, fault);
        await this.#filler.addAccount(row);
      } else if (row.type === 'message') await this.#filler.addMessage(row);
      else {
        const fault = this.#judge?.faultOf(row) ?? null;
        if (fault !== null) throw invalidImport(line, fault);
        await this.#filler.addTransaction(row);
      }
    }
  }

  /** Removes what was written. */
  async discard(): Promise<void> {
    await this.#open?.store.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #begin(row: LedgerRow): Promise<void> {
    const folder = row.name === 'base' ? this.#folder : rollupFolderOf(this.#folder);
    const store = openLedgerFolder(folder, { logger: this.#logger, transactionsMax: KEEP_ALL });
    this.#open = { row, folder, store };
    this.#judge = new TransactionsJudge(row);
    this.#accounts = new AccountsJudge();
    this.#filler = await StoreFiller.begin(store, row, BLOCKHASH_AGES[row.name]);
  }

  /** @param line of the row that ends the ledger. */
  async #finish(line: number): Promise<void> {
    if (this.#open === null) return;
    const fault = this.#judge?.endFault() ?? null;
    if (fault !== null) throw invalidImport(line, fault);
    const { row, folder, store } = this.#open;
    await this.#filler?.finish();
    this.#filler = null;
    this.#open = null;
    await store.close();
    const { firstSlot, recordCount } = row;
    await noteForgotten(folder, { firstSlot, recordCount });
    this.#written.push(row.name);
  }
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
