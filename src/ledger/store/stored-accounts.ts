import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountRange, AccountSource, AccountTotals } from '../state/account-source.ts';
import type { DataTest, Look } from '../state/steady-entries.ts';
import { NO_ACCOUNTS } from './account-writes.ts';
import type { LedgerDatabase } from './ledger-database.ts';
import type { PendingAccounts } from './pending-accounts.ts';

/** Where {@link StoredAccounts} are read. */
interface StoredParts {
  readonly database: LedgerDatabase;
  readonly pending: PendingAccounts;
  /** Of the ledger whose commits are accepted now; null if there is none. */
  readonly acceptedHash: () => string | null;
}

/**
 * The accounts of one ledger in a database. Before that has its first commit, and after it has that of the
 * next ledger, there are none.
 */
export class StoredAccounts implements AccountSource {
  readonly #genesisHash: string;
  readonly #parts: StoredParts;

  constructor(genesisHash: string, parts: StoredParts) {
    this.#genesisHash = genesisHash;
    this.#parts = parts;
  }

  get totals(): AccountTotals {
    return this.#database?.totals ?? NO_ACCOUNTS;
  }

  get(address: Address): Account | undefined {
    return this.#database?.account(address);
  }

  addressesOf(range: AccountRange, max: number): readonly Address[] | null {
    const database = this.#database;
    return database === null ? [] : database.addressesOf(range, max);
  }

  walk(range: AccountRange, test: DataTest): IterableIterator<Look> {
    return this.#database?.walk(range, test) ?? [][Symbol.iterator]();
  }

  pending(): Iterable<readonly [Address, Account | null]> {
    return this.#isAccepted ? this.#parts.pending.entries() : [];
  }

  isPending(address: Address): boolean {
    return this.#isAccepted && this.#parts.pending.has(address);
  }

  onSettled(listener: (address: Address, account: Account | null) => void): () => void {
    return this.#parts.pending.onSettled(this.#genesisHash, (address, account) => {
      // What is taken over before the first commit of this ledger is another's.
      if (this.#database !== null) listener(address, account);
    });
  }

  get #isAccepted(): boolean {
    return this.#parts.acceptedHash() === this.#genesisHash;
  }

  get #database(): LedgerDatabase | null {
    const { database } = this.#parts;
    return database.summary.identity?.genesisHash === this.#genesisHash ? database : null;
  }
}
