import { assertInvariant } from '../../errors/assert-invariant.ts';
import type { Account } from '../../solana/account.ts';
import { ADDRESS_BYTES, addressBytes, addressOf, type Address } from '../../solana/address.ts';
import type { TransactionRecord } from '../execution.ts';
import { decodeAccount } from './account-codec.ts';
import { AccountFold, type ReadKept } from './account-fold.ts';
import type { EncodedCommit, EncodedRecord } from './encoded-commit.ts';
import { decodeMessageKey, encodeMessageKey } from './message-key.ts';
import { decodeRecord } from './record-codec.ts';
import { comparePositions } from './record-position.ts';
import type { HistoryPage, MessageName, RecordPosition } from './store.ts';

/** Estimated memory of a commit besides its bytes. */
const COMMIT_OVERHEAD_BYTES = 512;

/** A commit with its number in the journal. */
export interface NumberedCommit {
  readonly sequence: number;
  readonly commit: EncodedCommit;
  /** Its size in the journal, bytes. */
  readonly bytes: number;
}

/** Commits in the journal that the database lacks, in order. Reads look here first. */
export class RecentCommits {
  #commits: NumberedCommit[] = [];
  /** By signature, in the order they landed. */
  readonly #records = new Map<string, EncodedRecord>();
  /** The keys of their messages. */
  readonly #messages = new Set<string>();
  /** Estimated memory they take, bytes. */
  bytes = 0;

  /** The number of the oldest; 0 if there is none. */
  get first(): number {
    return this.#commits[0]?.sequence ?? 0;
  }

  /** Whether these are the whole ledger, i.e. the first of them began it. */
  get isWholeLedger(): boolean {
    return this.#commits[0]?.commit.identity !== undefined;
  }

  get count(): number {
    return this.#commits.length;
  }

  /** The number of the newest; 0 if there is none. */
  get newest(): number {
    return this.#commits.at(-1)?.sequence ?? 0;
  }

  /** The position of the first transaction. All transactions in the database are older. */
  get firstPosition(): RecordPosition | null {
    for (const { commit } of this.#commits) if (commit.record !== undefined) return commit.record.position;
    return null;
  }

  /** Adds the next commit. One that begins a ledger invalidates all before it. */
  add(numbered: NumberedCommit): void {
    const { commit, bytes } = numbered;
    if (commit.identity !== undefined) this.drop(Number.POSITIVE_INFINITY);
    this.#commits.push(numbered);
    this.bytes += bytes + COMMIT_OVERHEAD_BYTES;
    if (commit.record !== undefined) this.#records.set(keyOf(commit.record.signature), commit.record);
    if (commit.message !== undefined) this.#messages.add(keyOf(encodeMessageKey(commit.message)));
  }

  /**
   * The oldest commits up to number `last`, until they reach `count` or `bytes`; at least one if there is
   * any.
   */
  oldest(
    last: number,
    limits: { readonly count: number; readonly bytes: number },
  ): readonly NumberedCommit[] {
    let bytes = 0;
    const end = this.#commits.findIndex((numbered, index) => {
      bytes += numbered.bytes;
      return numbered.sequence > last || index === limits.count || (index > 0 && bytes > limits.bytes);
    });
    return end < 0 ? [...this.#commits] : this.#commits.slice(0, end);
  }

  /** Drops those up to number `last`. */
  drop(last: number): void {
    const kept = this.#commits.findIndex(({ sequence }) => sequence > last);
    for (const { commit, bytes } of this.#commits.splice(0, kept < 0 ? this.#commits.length : kept)) {
      this.bytes -= bytes + COMMIT_OVERHEAD_BYTES;
      if (commit.record !== undefined) this.#records.delete(keyOf(commit.record.signature));
      if (commit.message !== undefined) this.#messages.delete(keyOf(encodeMessageKey(commit.message)));
    }
    assertInvariant(this.bytes >= 0, 'commits take no less memory than none');
  }

  /**
   * The current state of changed accounts; null for deleted ones. Parameters as in {@link
   * AccountFold.values}.
   */
  accounts(kept: ReadKept, damaged: (what: string) => Error): Map<Address, Account | null> {
    const fold = new AccountFold();
    for (const { commit } of this.#commits) for (const account of commit.accounts) fold.add(account);
    const accounts = new Map<Address, Account | null>();
    for (const [address, value] of fold.values(kept, damaged)) {
      accounts.set(addressOf(address), value && decodeAccount(value));
    }
    return accounts;
  }

  /** The number of the last commit that changed each of the accounts, by its address. */
  changedBy(): Map<Address, number> {
    const last = new Map<Address, number>();
    for (const { sequence, commit } of this.#commits) {
      for (const { address } of commit.accounts) last.set(addressOf(address), sequence);
    }
    return last;
  }

  /** A landed transaction by its first signature, 64 bytes. */
  record(signature: Uint8Array): TransactionRecord | null {
    const record = this.#records.get(keyOf(signature));
    return record === undefined ? null : decodeRecord(record.value);
  }

  hasMessage(message: MessageName): boolean {
    return this.#messages.has(keyOf(encodeMessageKey(message)));
  }

  *messages(): Iterable<MessageName> {
    for (const key of this.#messages) yield decodeMessageKey(Buffer.from(key, 'latin1'));
  }

  get recordCount(): number {
    return this.#records.size;
  }

  /** Landed transactions of slots from `first` to `last`, in order. */
  *recordsBetween(first: number, last: number): Iterable<TransactionRecord> {
    for (const { position, value } of this.#records.values()) {
      if (position.slot >= first && position.slot <= last) yield decodeRecord(value);
    }
  }

  /** The last `limit` transactions, newest first. */
  newestRecords(limit: number): TransactionRecord[] {
    const newest = [...this.#records.values()].toReversed().slice(0, limit);
    return newest.map(({ value }) => decodeRecord(value));
  }

  /** The stored records of one page of an address's history, newest first. */
  valuesNaming({ address, before, until, limit }: HistoryPage): Buffer[] {
    const bytes = addressBytes(address);
    const page: Buffer[] = [];
    for (const { position, addresses, value } of [...this.#records.values()].toReversed()) {
      if (before !== undefined && comparePositions(position, before) >= 0) continue;
      if (page.length >= limit || (until !== undefined && comparePositions(position, until) <= 0)) break;
      if (names(addresses, bytes)) page.push(value);
    }
    return page;
  }
}

/** Bytes as a map key. */
function keyOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

function names(addresses: Buffer, address: Uint8Array): boolean {
  for (let at = addresses.indexOf(address); at >= 0; at = addresses.indexOf(address, at + 1)) {
    // A match at any other offset spans two addresses.
    if (at % ADDRESS_BYTES === 0) return true;
  }
  return false;
}
