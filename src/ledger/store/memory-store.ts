import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TransactionRecord } from '../execution.ts';
import type { Commit, LedgerIdentity, LedgerStore } from './store.ts';

/** A store that lasts as long as the object: for tests and for ledgers that are to leave nothing behind. */
export class MemoryStore implements LedgerStore {
  identity: LedgerIdentity | null = null;
  slotCeiling = 0;
  readonly #accounts = new Map<Address, Account>();
  readonly #records = new Map<string, TransactionRecord>();

  get recordCount(): number {
    return this.#records.size;
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

  async commit({ accounts = [], record, slotCeiling, identity }: Commit): Promise<void> {
    if (identity !== undefined) this.identity = identity;
    this.slotCeiling = slotCeiling;
    for (const [address, account] of accounts) {
      if (account.lamports === 0n) this.#accounts.delete(address);
      else this.#accounts.set(address, account);
    }
    if (record !== undefined) this.#records.set(record.signature, record);
  }

  async close(): Promise<void> {}
}
