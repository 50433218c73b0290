import type { LatestBlockhash } from '../chain/chain.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { atEndOfTurn } from './end-of-turn.ts';

/** How long a blockhash is cached, ms: a quarter of a slot, of the 150 for which it is valid. */
const HEAD_KEPT_MS = 100;

/** How long accounts are cached if no version changes, ms: the clock sysvar changes without a transaction. */
const ACCOUNTS_KEPT_MS = 1_000;

/** Most cached accounts, and the largest one, bytes. */
const ACCOUNTS_MAX = 4_096;
const DATA_BYTES_MAX = 1_024;

/**
 * A cache of what a worker has read from the ledgers in the primary. It is valid for one version, which is
 * read once per turn of the event loop that uses it: a request sees everything that was acknowledged before
 * it came, and all cached values are of the same moment.
 */
export class LedgerMemory {
  readonly #readVersion: () => number;
  #accounts = new Map<Address, Account | null>();
  #notSettling = new Set<Address>();
  #head: LatestBlockhash | null = null;
  #headAtMs = 0;
  #version = -1;
  #clearedAtMs = 0;
  #isChecked = false;

  constructor(readVersion: () => number) {
    this.#readVersion = readVersion;
  }

  /** The accounts at these addresses; undefined unless all are cached. */
  accounts(addresses: readonly Address[]): readonly (Account | null)[] | undefined {
    this.#check();
    const found: (Account | null)[] = [];
    for (const address of addresses) {
      const account = this.#accounts.get(address);
      if (account === undefined) return undefined;
      found.push(account);
    }
    return found;
  }

  /** Caches accounts read at `version` or later. */
  keepAccounts(version: number, addresses: readonly Address[], accounts: readonly (Account | null)[]): void {
    if (!this.#isAt(version)) return;
    for (const [at, address] of addresses.entries()) {
      const account = accounts[at];
      const isSmall = account === null || (account?.data.length ?? Infinity) <= DATA_BYTES_MAX;
      if (account === undefined || !isSmall || this.#accounts.size >= ACCOUNTS_MAX) continue;
      this.#accounts.set(address, account);
    }
  }

  /** A blockhash that was the newest a moment ago. */
  head(): LatestBlockhash | null {
    this.#check();
    return performance.now() - this.#headAtMs < HEAD_KEPT_MS ? this.#head : null;
  }

  keepHead(version: number, head: LatestBlockhash): void {
    if (!this.#isAt(version)) return;
    this.#head = head;
    this.#headAtMs = performance.now();
  }

  /**
   * Whether an eATA is known not to be settling. That one is settling is not remembered: it ends without a
   * transaction.
   */
  isKnownNotToSettle(eata: Address): boolean {
    this.#check();
    return this.#notSettling.has(eata);
  }

  keepNotSettling(version: number, eata: Address): void {
    if (this.#isAt(version) && this.#notSettling.size < ACCOUNTS_MAX) this.#notSettling.add(eata);
  }

  /** An answer may be older than the cache, or newer than all of it. */
  #isAt(version: number): boolean {
    this.#check();
    return version === this.#version;
  }

  #check(): void {
    if (this.#isChecked) return;
    this.#isChecked = true;
    atEndOfTurn(() => {
      this.#isChecked = false;
    });
    const version = this.#readVersion();
    const now = performance.now();
    if (version === this.#version && now - this.#clearedAtMs < ACCOUNTS_KEPT_MS) return;
    this.#version = version;
    this.#clearedAtMs = now;
    // V8 keeps the table of a map that is cleared, and all tables after it, until a full collection.
    this.#accounts = new Map();
    this.#notSettling = new Set();
    this.#head = null;
  }
}
