import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Commit, LedgerStore } from '../store/store.ts';
import { LandedMessages } from './landed-messages.ts';
import { keysOf } from './listing.ts';
import type { AccountRow, LedgerRow, MessageRow } from './rows.ts';
import type { TransactionRow } from './transaction-row.ts';

/** Accounts of one commit, and bytes of them; one account may have more. */
const ACCOUNTS_AT_ONCE = { count: 1_024, bytes: 1024 * 1024 } as const;

/** Said of each message, so that none is removed before a transaction lands. */
const NONE_EXPIRED = { expiredBelow: 0 } as const;

/** Commits that are waited for together: they share flushes of the disk. */
const COMMITS_AT_ONCE = 256;

/** Writes the rows of one ledger into an empty store. */
export class StoreFiller {
  readonly #store: LedgerStore;
  readonly #slotCeiling: number;
  readonly #messages: LandedMessages;
  #accounts: (readonly [Address, Account])[] = [];
  #accountBytes = 0;
  #commits: Promise<void>[] = [];

  private constructor(store: LedgerStore, row: LedgerRow, blockhashAgeMax: number) {
    this.#store = store;
    this.#slotCeiling = row.slotCeiling;
    this.#messages = new LandedMessages({ ...row, blockhashAgeMax });
  }

  /**
   * @param blockhashAgeMax blocks for which a blockhash of this ledger is good after its own.
   * @throws {ServiceError} LEDGER_STOPPED, as do all methods.
   */
  static async begin(store: LedgerStore, row: LedgerRow, blockhashAgeMax: number): Promise<StoreFiller> {
    const { genesisHash, blockhashSeed, faucetSeed, identitySeed, slotCeiling, timeAnchors } = row;
    const identity = { genesisHash, blockhashSeed, faucetSeed, identitySeed };
    await store.commit({ identity, slotCeiling });
    for (const timeAnchor of timeAnchors) await store.commit({ timeAnchor, slotCeiling });
    return new StoreFiller(store, row, blockhashAgeMax);
  }

  async addAccount({ address, lamports, owner, data, executable, rentEpoch }: AccountRow): Promise<void> {
    this.#accounts.push([address, { lamports, owner, data, executable, rentEpoch }]);
    this.#accountBytes += data.length;
    const { count, bytes } = ACCOUNTS_AT_ONCE;
    if (this.#accounts.length < count && this.#accountBytes < bytes) return;
    await this.#flushAccounts();
  }

  async addTransaction({ record, listedUnder }: TransactionRow): Promise<void> {
    // Of an earlier release's ledger, which kept no messages, they are worked out.
    const landed = this.#messages.of(record.wire);
    const recordAddresses = listedUnder ?? keysOf(record);
    const slotCeiling = this.#slotCeiling;
    const message = landed && { ...landed, ...NONE_EXPIRED };
    await this.#add({ slotCeiling, record, recordAddresses, ...(message && { message }) });
  }

  async addMessage({ blockhashHeight, digest }: MessageRow): Promise<void> {
    const message = { blockhashHeight, digest, ...NONE_EXPIRED };
    await this.#add({ slotCeiling: this.#slotCeiling, message });
  }

  /** Resolves once all of it is durable, and in its place. */
  async finish(): Promise<void> {
    await this.#flushAccounts();
    await this.#waitForCommits();
    await this.#store.drain();
  }

  async #add(written: Commit): Promise<void> {
    const commit = this.#store.commit(written);
    // A failure is told where it is waited for.
    commit.catch(() => undefined);
    this.#commits.push(commit);
    if (this.#commits.length >= COMMITS_AT_ONCE) await this.#waitForCommits();
  }

  async #flushAccounts(): Promise<void> {
    const accounts = this.#accounts;
    this.#accounts = [];
    this.#accountBytes = 0;
    if (accounts.length > 0) await this.#store.commit({ slotCeiling: this.#slotCeiling, accounts });
  }

  async #waitForCommits(): Promise<void> {
    const commits = this.#commits;
    this.#commits = [];
    await Promise.all(commits);
  }
}
