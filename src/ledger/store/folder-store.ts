import { Packr } from 'msgpackr';
import { join } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, decodeKey } from '../../solana/address.ts';
import { SIGNATURE_BYTES, SIGNATURE_TEXT_MAX } from '../../solana/signature.ts';
import type { TransactionRecord } from '../ledger.ts';
import { commitFailure, type LmdbKey, type LmdbRoot, type LmdbTable } from './lmdb-file.ts';
import {
  type Commit,
  firstSlotOfWindow,
  type HistoryPage,
  type LedgerIdentity,
  type LedgerStore,
  type MessageName,
  type RecordPosition,
  type TimeAnchor,
} from './store.ts';

interface StoredRecord {
  /** The addresses whose history lists the record. */
  readonly names: readonly string[];
  readonly record: TransactionRecord;
}

/** Encodes `bigint` values as 64-bit integers. */
const packr = new Packr();

/** Encodes a value as msgpack. */
const pack = (value: unknown): Buffer => packr.pack(value);

/** Decodes msgpack. Byte arrays in the result are views of `bytes`. */
function unpack<T>(bytes: Buffer): T {
  // For a `Buffer`, msgpackr would return byte arrays as `Buffer`s, whose `slice` does not copy.
  return packr.unpack(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)) as T;
}

/** Encodes an account, with its data first, because the fields after it reveal a truncated value. */
function packAccount({ data, owner, lamports, executable, rentEpoch }: Account): Buffer {
  return pack([data, owner, lamports, executable, rentEpoch]);
}

/** @throws {TypeError} if the bytes are not an account. */
export function unpackAccount(bytes: Buffer): Account {
  const [data, owner, lamports, executable, rentEpoch] =
    unpack<[Uint8Array, Account['owner'], bigint, boolean, bigint]>(bytes);
  if (typeof rentEpoch !== 'bigint') throw new TypeError('it is not an account');
  return { lamports, owner, data, executable, rentEpoch };
}

/** Encodes a record, with a mark at the end that reveals a truncated value. */
const packRecord = ({ names, record }: StoredRecord): Buffer => pack([names, record, true]);

/** @throws {TypeError} if the bytes are not a transaction. */
export function unpackRecord(bytes: Buffer): StoredRecord {
  const [names, record, isWhole] = unpack<[StoredRecord['names'], TransactionRecord, boolean]>(bytes);
  if (isWhole !== true) throw new TypeError('it is not a transaction');
  return { names, record };
}

/** The location of a fault in a ledger folder. */
interface DamagePlace {
  readonly folder: string;
  readonly file: string;
  /** Byte offset in the file, if known. */
  readonly offset?: number;
}

/** Creates the LEDGER_DAMAGED error, for stored data that differs from what was written. */
export function ledgerDamaged({ folder, file, offset }: DamagePlace, what: string): ServiceError {
  const where = join(folder, file) + (offset === undefined ? '' : ` at byte ${offset}`);
  return new ServiceError(
    'LEDGER_DAMAGED',
    `The ledger is damaged in ${where}: ${what}. Nothing was changed. Restore the folder ${folder} from a backup, or start with --reset to create a new ledger there`,
    { folder, file, ...(offset === undefined ? {} : { offset }) },
  );
}

/** Maximum number of commits, and bytes of account data, that are written in one transaction. */
const GROUP_MAX = { commits: 256, bytes: 4 * 1024 * 1024 } as const;

/** Maximum number of slots removed in one write. A lowered limit is reached gradually. */
const FORGOTTEN_AT_ONCE = 4;

const STATE = 'state';

/** The value of entries that consist of their key only. */
const NOTHING = Buffer.alloc(0);

/** The names of the tables other than `meta`. */
export const TABLE_NAMES = ['accounts', 'records', 'signatures', 'mentions', 'messages'] as const;

/**
 * The tables of a ledger and their keys. `accounts`: address. `records`: slot and index. `signatures`:
 * signature, with the key of the record as value. `mentions`: address, slot and index. `messages`: height of
 * the blockhash and digest.
 */
export type LedgerTables = Readonly<
  Record<(typeof TABLE_NAMES)[number] | 'meta', LmdbTable> & { root: LmdbRoot }
>;

/** The state of a ledger except accounts and transactions. */
interface LedgerState {
  readonly identity: LedgerIdentity | null;
  readonly slotCeiling: number;
  readonly recordCount: number;
  readonly firstSlot: number;
  readonly timeAnchors: readonly TimeAnchor[];
}

const NO_LEDGER: LedgerState = {
  identity: null,
  slotCeiling: 0,
  recordCount: 0,
  firstSlot: 0,
  timeAnchors: [],
};

interface WaitingCommit {
  readonly commit: Commit;
  resolve(): void;
  reject(error: unknown): void;
}

interface FolderStoreParts {
  readonly tables: LedgerTables;
  /** The path of the LMDB file. */
  readonly folder: string;
  readonly file: string;
  /** Maximum number of stored transactions. */
  readonly transactionsMax: number;
  /** Reports that the store is closed. */
  onClosed(): void;
}

/**
 * A ledger in an LMDB file. Waiting commits are written in one transaction and acknowledged once LMDB has
 * flushed it. Each commit is stored completely or not at all.
 */
export class FolderStore implements LedgerStore {
  readonly #parts: FolderStoreParts;
  readonly #tables: LedgerTables;
  #state: LedgerState;
  #waiting: WaitingCommit[] = [];
  #writing: Promise<void> | undefined;
  #failure: ServiceError | undefined;

  constructor(parts: FolderStoreParts) {
    this.#parts = parts;
    this.#tables = parts.tables;
    const bytes = this.#tables.meta.get(STATE);
    this.#state = bytes === undefined ? NO_LEDGER : unpack<LedgerState>(bytes);
  }

  get identity(): LedgerIdentity | null {
    return this.#state.identity;
  }

  get slotCeiling(): number {
    return this.#state.slotCeiling;
  }

  get recordCount(): number {
    return this.#state.recordCount;
  }

  get firstSlot(): number {
    return this.#state.firstSlot;
  }

  get timeAnchors(): readonly TimeAnchor[] {
    return this.#state.timeAnchors;
  }

  get bytes(): number {
    const { pageSize, lastPageNumber } = this.#tables.root.getStats() as Record<string, number>;
    return (pageSize as number) * ((lastPageNumber as number) + 1);
  }

  get isWritable(): boolean {
    return this.#failure === undefined;
  }

  *accounts(): Iterable<readonly [Address, Account]> {
    for (const { key, value } of this.#tables.accounts.getRange()) {
      yield [key as Address, this.#decode(value, unpackAccount, `account ${String(key)}`)];
    }
  }

  record(signature: string): TransactionRecord | null {
    // LMDB rejects most other texts as keys.
    if (typeof decodeKey(signature, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX) === 'string') return null;
    const position = this.#tables.signatures.get(signature);
    const bytes = position && this.#tables.records.get(unpack<LmdbKey>(position));
    return bytes === undefined ? null : this.#decodeRecord(bytes);
  }

  *recordsFrom(slot: number): Iterable<TransactionRecord> {
    for (const { value } of this.#tables.records.getRange({ start: [slot] })) yield this.#decodeRecord(value);
  }

  recordsOf(slot: number): readonly TransactionRecord[] {
    const range = this.#tables.records.getRange({ start: [slot], end: [slot + 1] });
    return Array.from(range, ({ value }) => this.#decodeRecord(value));
  }

  recordsNaming({ address, before, until, limit }: HistoryPage): Iterable<TransactionRecord> {
    const { mentions, records } = this.#tables;
    const start = before === undefined ? [address, Number.MAX_SAFE_INTEGER] : mentionKey(address, before);
    const end = until === undefined ? [address] : mentionKey(address, until);
    const keys = mentions.getKeys({ start, end, reverse: true, exclusiveStart: true, limit });
    const found = Array.from(keys, (key) => records.get((key as LmdbKey[]).slice(1)) as Buffer);
    return this.#decodeEach(found);
  }

  hasMessage(message: MessageName): boolean {
    return this.#tables.messages.doesExist(messageKey(message));
  }

  /** @throws {ServiceError} LEDGER_STOPPED after a failed write. */
  commit(commit: Commit): Promise<void> {
    // Later commits depend on the failed one, so nothing is written after a failure.
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ commit, resolve, reject });
      this.#writing ??= this.#writeWaiting();
    });
  }

  async close(): Promise<void> {
    // Commits that arrive in the meantime start another write.
    while (this.#writing !== undefined) await this.#writing;
    await this.#tables.root.close();
    this.#parts.onClosed();
  }

  async #writeWaiting(): Promise<void> {
    // Commits of the same turn are written together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup();
      try {
        this.#state = await this.#write(group.map(({ commit }) => commit));
        for (const { resolve } of group) resolve();
      } catch (error) {
        const failure = this.#stop(error);
        // Later commits depend on the failed one, so they fail too.
        for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(failure);
      }
    }
    this.#writing = undefined;
  }

  #nextGroup(): WaitingCommit[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ commit: { accounts = [] } }, index) => {
      for (const [, { data }] of accounts) bytes += data.length;
      return index > 0 && (index >= GROUP_MAX.commits || bytes > GROUP_MAX.bytes);
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  /** Writes commits as one transaction. Resolves once it survives a crash of the machine. */
  async #write(commits: readonly Commit[]): Promise<LedgerState> {
    const { root } = this.#tables;
    let state = this.#state;
    try {
      // lmdb rolls back only child transactions completely if the callback throws.
      await root.childTransaction(() => {
        state = this.#apply(commits);
      });
    } catch (failure) {
      throw await commitFailure(failure);
    }
    // Without this, reads in the same turn of the event loop would use the snapshot from before the write.
    root.resetReadTxn();
    return state;
  }

  /** Applies commits inside a transaction, and returns the new state. */
  #apply(commits: readonly Commit[]): LedgerState {
    let state = this.#state;
    // Only the last state of an account is written if several commits change it.
    const accounts = new Map<Address, Account>();
    for (const commit of commits) {
      const { identity, slotCeiling, timeAnchor, record, message } = commit;
      if (identity !== undefined) {
        for (const name of TABLE_NAMES) this.#tables[name].clearSync();
        accounts.clear();
        state = { ...NO_LEDGER, identity };
      }
      const { timeAnchors, recordCount } = state;
      state = {
        ...state,
        slotCeiling,
        timeAnchors: timeAnchor === undefined ? timeAnchors : [...timeAnchors, timeAnchor],
        recordCount: record === undefined ? recordCount : recordCount + 1,
      };
      if (record !== undefined) this.#putRecord(record, commit.recordAddresses ?? []);
      if (message !== undefined) this.#putMessage(message);
      for (const [address, account] of commit.accounts ?? []) accounts.set(address, account);
    }
    for (const [address, account] of accounts) {
      if (account.lamports === 0n) void this.#tables.accounts.remove(address);
      else void this.#tables.accounts.put(address, packAccount(account));
    }
    const newest = commits.findLast(({ record }) => record !== undefined)?.record;
    if (newest !== undefined) state = this.#forgetOldest(state, newest.slot);
    void this.#tables.meta.put(STATE, pack(state));
    return state;
  }

  #putRecord(record: TransactionRecord, names: readonly string[]): void {
    const { records, signatures, mentions } = this.#tables;
    const position = [record.slot, record.index];
    void records.put(position, packRecord({ names, record }));
    void signatures.put(record.signature, pack(position));
    for (const name of names) void mentions.put(mentionKey(name, record), NOTHING);
  }

  #putMessage(message: NonNullable<Commit['message']>): void {
    const { messages } = this.#tables;
    // The expired keys are listed before the removals, which move the cursor.
    const expired = Array.from(messages.getKeys({ end: [message.expiredBelow] }));
    for (const key of expired) void messages.remove(key);
    void messages.put(messageKey(message), NOTHING);
  }

  /** Removes the oldest slots beyond the limit. Never removes part of a slot. */
  #forgetOldest(state: LedgerState, newest: number): LedgerState {
    const { records, signatures, mentions } = this.#tables;
    let { firstSlot } = state;
    for (let count = 0; count < FORGOTTEN_AT_ONCE; count++) {
      if (countOf(records) <= this.#parts.transactionsMax) break;
      const [oldest] = records.getKeys({ limit: 1 });
      const slot = (oldest as number[])[0] as number;
      if (slot >= firstSlotOfWindow(newest, state.timeAnchors)) break;
      const whole = Array.from(records.getRange({ start: [slot], end: [slot + 1] }));
      for (const { key, value } of whole) {
        const { names, record } = unpackRecord(value);
        void records.remove(key);
        void signatures.remove(record.signature);
        for (const name of names) void mentions.remove(mentionKey(name, record));
      }
      firstSlot = slot + 1;
    }
    return { ...state, firstSlot };
  }

  *#decodeEach(values: readonly Buffer[]): Iterable<TransactionRecord> {
    for (const value of values) yield this.#decodeRecord(value);
  }

  #decodeRecord(bytes: Buffer): TransactionRecord {
    return this.#decode(bytes, unpackRecord, 'a transaction').record;
  }

  /** @throws {ServiceError} LEDGER_DAMAGED if the bytes cannot be decoded. */
  #decode<T>(bytes: Buffer, decode: (bytes: Buffer) => T, what: string): T {
    try {
      return decode(bytes);
    } catch (cause) {
      const { folder, file } = this.#parts;
      throw ledgerDamaged({ folder, file }, `${what} cannot be read: ${(cause as Error).message}`);
    }
  }

  /** Rejects all later commits, and returns their error. */
  #stop(cause: unknown): ServiceError {
    const { folder } = this.#parts;
    this.#failure ??= new ServiceError(
      'LEDGER_STOPPED',
      `The ledger in ${folder} cannot be written to (${(cause as Error).message}): fix this and restart the program, which accepts no transactions until then`,
      { folder, file: join(folder, this.#parts.file) },
      { cause },
    );
    return this.#failure;
  }
}

const mentionKey = (name: string, { slot, index }: RecordPosition): LmdbKey => [name, slot, index];

const messageKey = ({ blockhashHeight, digest }: MessageName): LmdbKey => [
  blockhashHeight,
  Buffer.from(digest).toString('base64'),
];

/** Returns the number of entries of a table. */
export const countOf = (table: LmdbTable): number => (table.getStats() as { entryCount: number }).entryCount;
