import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TransactionRecord } from '../ledger.ts';
import {
  type Commit,
  comparePositions,
  firstSlotOfWindow,
  type HistoryPage,
  type LandedMessage,
  type LedgerIdentity,
  type LedgerStore,
  type MessageName,
  type TimeAnchor,
  TRANSACTIONS_MAX,
} from './store.ts';

interface Landed {
  readonly record: TransactionRecord;
  readonly addresses: readonly Address[];
}

/** A store in memory, for tests and for ledgers that are not kept. */
export class MemoryStore implements LedgerStore {
  isWritable = true;
  identity: LedgerIdentity | null = null;
  slotCeiling = 0;
  recordCount = 0;
  firstSlot = 0;
  timeAnchors: readonly TimeAnchor[] = [];
  readonly #transactionsMax: number;
  readonly #accounts = new Map<Address, Account>();
  readonly #records = new Map<string, TransactionRecord>();
  /** The transactions in ascending order of slots, which is the order of insertion. */
  readonly #bySlot = new Map<number, Landed[]>();
  readonly #naming = new Map<Address, TransactionRecord[]>();
  readonly bytes = 0;
  /** Digests of messages by the height of their blockhash. */
  readonly #messages = new Map<number, Set<string>>();

  /** @param transactionsMax maximum number of stored transactions; default {@link TRANSACTIONS_MAX}. */
  constructor({ transactionsMax = TRANSACTIONS_MAX }: { readonly transactionsMax?: number } = {}) {
    this.#transactionsMax = transactionsMax;
  }

  /**
   * Returns an independent copy. Accounts and records are never modified, so the two stores share them.
   *
   * @param slotCeiling the highest slot that clients may have seen. A ledger on the copy resumes above it.
   */
  copyAt(slotCeiling: number): MemoryStore {
    const copy = new MemoryStore({ transactionsMax: this.#transactionsMax });
    copy.identity = this.identity;
    copy.slotCeiling = slotCeiling;
    copy.recordCount = this.recordCount;
    copy.firstSlot = this.firstSlot;
    copy.timeAnchors = this.timeAnchors;
    for (const [address, account] of this.#accounts) copy.#accounts.set(address, account);
    for (const [signature, record] of this.#records) copy.#records.set(signature, record);
    for (const [slot, landed] of this.#bySlot) copy.#bySlot.set(slot, [...landed]);
    for (const [address, records] of this.#naming) copy.#naming.set(address, [...records]);
    for (const [height, digests] of this.#messages) copy.#messages.set(height, new Set(digests));
    return copy;
  }

  accounts(): Iterable<readonly [Address, Account]> {
    return this.#accounts;
  }

  record(signature: string): TransactionRecord | null {
    return this.#records.get(signature) ?? null;
  }

  *recordsFrom(slot: number): Iterable<TransactionRecord> {
    for (const record of this.#records.values()) if (record.slot >= slot) yield record;
  }

  hasMessage({ blockhashHeight, digest }: MessageName): boolean {
    return this.#messages.get(blockhashHeight)?.has(Buffer.from(digest).toString('latin1')) ?? false;
  }

  recordsOf(slot: number): readonly TransactionRecord[] {
    return (this.#bySlot.get(slot) ?? []).map(({ record }) => record);
  }

  recordsNaming({ address, before, until, limit }: HistoryPage): readonly TransactionRecord[] {
    const page: TransactionRecord[] = [];
    for (const record of (this.#naming.get(address) ?? []).toReversed()) {
      if (before !== undefined && comparePositions(record, before) >= 0) continue;
      if (page.length >= limit || (until !== undefined && comparePositions(record, until) <= 0)) break;
      page.push(record);
    }
    return page;
  }

  async commit(commit: Commit): Promise<void> {
    const {
      accounts = [],
      record,
      recordAddresses = [],
      timeAnchor,
      slotCeiling,
      identity,
      message,
    } = commit;
    if (identity !== undefined) this.#begin(identity);
    this.slotCeiling = slotCeiling;
    if (timeAnchor !== undefined) this.timeAnchors = [...this.timeAnchors, timeAnchor];
    for (const [address, account] of accounts) {
      if (account.lamports === 0n) this.#accounts.delete(address);
      else this.#accounts.set(address, account);
    }
    if (record !== undefined) this.#land({ record, addresses: recordAddresses });
    if (message !== undefined) this.#noteMessage(message);
  }

  async close(): Promise<void> {}

  #begin(identity: LedgerIdentity): void {
    this.identity = identity;
    this.recordCount = 0;
    this.firstSlot = 0;
    this.timeAnchors = [];
    for (const table of [this.#accounts, this.#records, this.#bySlot, this.#naming, this.#messages])
      table.clear();
  }

  #noteMessage({ blockhashHeight, digest, expiredBelow }: LandedMessage): void {
    const digests = this.#messages.get(blockhashHeight) ?? new Set();
    this.#messages.set(blockhashHeight, digests.add(Buffer.from(digest).toString('latin1')));
    for (const height of this.#messages.keys()) if (height < expiredBelow) this.#messages.delete(height);
  }

  #land(landed: Landed): void {
    const { record, addresses } = landed;
    this.recordCount++;
    this.#records.set(record.signature, record);
    append(this.#bySlot, record.slot, landed);
    for (const address of addresses) append(this.#naming, address, record);
    if (this.#records.size > this.#transactionsMax) this.#forgetOldest(record.slot);
  }

  #forgetOldest(newest: number): void {
    const end = firstSlotOfWindow(newest, this.timeAnchors);
    for (const slot of this.#bySlot.keys()) {
      if (this.#records.size <= this.#transactionsMax || slot >= end) break;
      this.#forget(slot);
    }
  }

  #forget(slot: number): void {
    for (const { record, addresses } of this.#bySlot.get(slot) ?? []) {
      this.#records.delete(record.signature);
      // Lists are oldest first, so the record is the first of each.
      for (const address of addresses) this.#naming.get(address)?.shift();
    }
    this.#bySlot.delete(slot);
    this.firstSlot = slot + 1;
  }
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
