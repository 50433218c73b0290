import { deserialize, serialize } from 'node:v8';
import { type Database, open, type RootDatabase } from 'lmdb';
import type { Account } from '../../solana/account.ts';
import { addressBytes, addressOf, decodeKey, type Address } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { TransactionRecord } from '../execution.ts';
import { assertLmdbFile } from './lmdb-header.ts';
import { decodeAccount, encodeAccount } from './account-codec.ts';
import { decodeRecord, encodeRecord } from './record-codec.ts';
import type { Commit, LedgerIdentity, LedgerStore } from './store.ts';

/** Changes with every change of what is written; a folder of another version is not read. */
export const FORMAT_VERSION = 1;

/** A signature and the longest base58 text of one (Agave `MAX_BASE58_SIGNATURE_LEN`). */
const SIGNATURE_BYTES = 64;
const SIGNATURE_TEXT_MAX = 88;

/** What is kept of a ledger besides accounts and transactions. */
interface Meta {
  readonly formatVersion: number;
  readonly identity: LedgerIdentity;
}

interface WaitingCommit {
  readonly commit: Commit;
  resolve(): void;
  reject(error: unknown): void;
}

type Bytes = Database<Buffer, Uint8Array>;

/**
 * A ledger kept in an LMDB file. Commits that arrive while one is being written go together into the next transaction:
 * each is all or nothing, in the order they came, and one flush to the disk serves them all.
 */
export class LmdbStore implements LedgerStore {
  readonly #root: RootDatabase;
  readonly #meta: Database<Buffer, string>;
  readonly #accounts: Bytes;
  readonly #records: Bytes;
  /** Signatures by slot and index, big-endian: the order of landing. */
  readonly #order: Bytes;
  #waiting: WaitingCommit[] = [];
  #writing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  identity: LedgerIdentity | null;
  slotCeiling: number;

  /**
   * Opens the file, making it where there is none.
   *
   * @throws {Error} for a file that is none of LMDB's or holds another format, or the system's error.
   */
  constructor(file: string) {
    assertLmdbFile(file);
    // Without overlapping, a transaction is only done when it is on the disk.
    this.#root = open({ path: file, noSubdir: true, maxDbs: 4, overlappingSync: false });
    const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
    this.#meta = this.#root.openDB({ name: 'meta', encoding: 'binary' });
    this.#accounts = this.#root.openDB({ name: 'accounts', ...binary });
    this.#records = this.#root.openDB({ name: 'records', ...binary });
    this.#order = this.#root.openDB({ name: 'order', ...binary });
    const meta = this.#readMeta<Meta>('ledger');
    if (meta !== undefined && meta.formatVersion !== FORMAT_VERSION) {
      void this.#root.close();
      throw new Error(`it has format ${meta.formatVersion}, and this release reads format ${FORMAT_VERSION}`);
    }
    this.identity = meta?.identity ?? null;
    this.slotCeiling = this.#readMeta<number>('slotCeiling') ?? 0;
  }

  get recordCount(): number {
    return (this.#records.getStats() as { entryCount: number }).entryCount;
  }

  *accounts(): Iterable<readonly [Address, Account]> {
    for (const { key, value } of this.#accounts.getRange()) yield [addressOf(key), decodeAccount(value)];
  }

  record(signature: string): TransactionRecord | null {
    const key = decodeKey(signature, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX);
    const bytes = typeof key === 'string' ? undefined : this.#records.get(key);
    return bytes === undefined ? null : decodeRecord(bytes);
  }

  *recordsFrom(slot: number): Iterable<TransactionRecord> {
    for (const { value } of this.#order.getRange({ start: orderKey(slot, 0) })) {
      yield decodeRecord(this.#records.get(value) as Buffer);
    }
  }

  commit(commit: Commit): Promise<void> {
    // A later commit builds on the one that was lost: nothing may be written after a failure.
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ commit, resolve, reject });
      this.#writing ??= this.#writeWaiting();
    });
  }

  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    await this.#root.close();
  }

  #readMeta<T>(key: string): T | undefined {
    const bytes = this.#meta.get(key);
    return bytes === undefined ? undefined : (deserialize(bytes) as T);
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        // A child transaction, because only those are undone as a whole when something in them fails.
        await this.#root.childTransaction(() => {
          for (const { commit } of group) this.#write(commit);
        });
        for (const { commit, resolve } of group) {
          this.identity ??= commit.identity ?? null;
          this.slotCeiling = commit.slotCeiling;
          resolve();
        }
      } catch (failure) {
        const error = await reasonOf(failure);
        this.#failure = { error };
        for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(error);
      }
    }
    this.#writing = undefined;
  }

  #write({ accounts = [], record, slotCeiling, identity }: Commit): void {
    if (identity !== undefined) {
      const meta: Meta = { formatVersion: FORMAT_VERSION, identity };
      void this.#meta.put('ledger', serialize(meta));
    }
    void this.#meta.put('slotCeiling', serialize(slotCeiling));
    for (const [address, account] of accounts) {
      const key = addressBytes(address);
      if (account.lamports === 0n) void this.#accounts.remove(key);
      else void this.#accounts.put(key, encodeAccount(account));
    }
    if (record === undefined) return;
    const signature = decodeBase58(record.signature);
    void this.#records.put(signature, encodeRecord(record));
    void this.#order.put(orderKey(record.slot, record.index), Buffer.from(signature));
  }
}

/** LMDB tells why a commit failed by a promise of its own, which ends the process when nobody looks at it. */
async function reasonOf(failure: unknown): Promise<unknown> {
  const { commitError } = failure as { commitError?: Promise<never> };
  return commitError === undefined ? failure : commitError.catch((reason: unknown) => reason);
}

function orderKey(slot: number, index: number): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeBigUInt64BE(BigInt(slot), 0);
  key.writeUInt32BE(index, 8);
  return key;
}
