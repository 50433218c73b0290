import {
  type TokenKeys,
  Accounts,
  type AccountState,
  type AccountView,
} from '../../ledger/state/accounts.ts';
import type { Engine, EngineRun } from '../../ledger/engine/engine.ts';
import { deployedAtGenesis, isProgramData, programDataOf } from '../../ledger/genesis/program-accounts.ts';
import type { TokenAccountQuery } from '../../ledger/ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { NATIVE_LOADER } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';

type Entry = readonly [Address, Account];

/** Receives every account that is set. */
export interface SetObserver {
  noteAccount(address: Address, account: Account): void;
}

/**
 * The accounts of a rollup: runtime accounts, its own accounts, and for all other addresses the current
 * accounts of base. Nothing from base is copied, so nothing becomes stale. If an own account is deleted,
 * base's account is visible again. A runtime account hides any other account at its address, because the
 * engine may run code other than the runtime's.
 */
export class OverlayAccounts implements AccountState {
  readonly #runtime = new Accounts();
  readonly #own = new Accounts();
  readonly #base: () => AccountView;
  readonly #observers: readonly SetObserver[];

  /**
   * @param base called for every read, because a reset replaces the accounts of base.
   * @param runtime accounts that always exist and never change.
   */
  constructor(base: () => AccountView, observers: readonly SetObserver[], runtime: Iterable<Entry> = []) {
    this.#base = base;
    this.#observers = observers;
    for (const [address, account] of runtime) this.#runtime.set(address, account);
  }

  get size(): number {
    const base = this.#base();
    let size = base.size + this.#own.size + this.#runtime.size;
    for (const [address] of this.#own.entries()) if (this.#isCovering(address, base)) size--;
    for (const [address] of this.#runtime.entries()) if (base.get(address) !== undefined) size--;
    return size;
  }

  get totalLamports(): bigint {
    const base = this.#base();
    let total = base.totalLamports + this.#own.totalLamports + this.#runtime.totalLamports;
    for (const [address, { lamports }] of this.#own.entries()) {
      total -= this.#isRuntime(address) ? lamports : (base.get(address)?.lamports ?? 0n);
    }
    for (const [address] of this.#runtime.entries()) total -= base.get(address)?.lamports ?? 0n;
    return total;
  }

  /** An upper bound of the lamports, because it includes hidden accounts. */
  get lamportsCeiling(): bigint {
    return this.#base().totalLamports + this.#own.totalLamports + this.#runtime.totalLamports;
  }

  get dataBytes(): number {
    return this.#own.dataBytes;
  }

  /** The rollup's own accounts, which it stores. */
  get own(): AccountView {
    return this.#own;
  }

  get(address: Address): Account | undefined {
    return this.#runtime.get(address) ?? this.#own.get(address) ?? this.#base().get(address);
  }

  set(address: Address, account: Account): void {
    this.#own.set(address, account);
    for (const observer of this.#observers) observer.noteAccount(address, account);
  }

  entries(): Iterable<Entry> {
    return this.#merge((accounts) => accounts.entries());
  }

  ownedBy(program: Address): Iterable<Entry> {
    return this.#merge((accounts) => accounts.ownedBy(program));
  }

  tokenKeysAt(address: Address): TokenKeys | null {
    if (this.#isRuntime(address)) return this.#runtime.tokenKeysAt(address);
    const view = this.#own.get(address) === undefined ? this.#base() : this.#own;
    return view.tokenKeysAt(address);
  }

  *tokenAccountsOf(mint: Address): Iterable<Address> {
    yield* this.#runtime.tokenAccountsOf(mint);
    for (const address of this.#own.tokenAccountsOf(mint)) if (!this.#isRuntime(address)) yield address;
    for (const address of this.#base().tokenAccountsOf(mint)) if (!this.#isHere(address)) yield address;
  }

  tokenAccounts(query: TokenAccountQuery): Iterable<Entry> {
    return this.#merge((accounts) => accounts.tokenAccounts(query));
  }

  #isRuntime(address: Address): boolean {
    return this.#runtime.get(address) !== undefined;
  }

  #isHere(address: Address): boolean {
    return this.#isRuntime(address) || this.#own.get(address) !== undefined;
  }

  /** Whether base or the runtime also has an account at the address of an own account. */
  #isCovering(address: Address, base: AccountView): boolean {
    return this.#isRuntime(address) || base.get(address) !== undefined;
  }

  *#merge(find: (accounts: AccountView) => Iterable<Entry>): Iterable<Entry> {
    yield* find(this.#runtime);
    for (const entry of find(this.#own)) if (!this.#isRuntime(entry[0])) yield entry;
    for (const entry of find(this.#base())) if (!this.#isHere(entry[0])) yield entry;
  }
}

/**
 * An engine whose accounts are updated by {@link refresh} right before they are needed. An account is set
 * again only if its object changed, because account objects are replaced and never modified.
 */
export class MirrorEngine implements Engine, SetObserver {
  readonly #engine: Engine;
  readonly #current = new Map<Address, Account>();
  /** The ProgramData account last set for each program. */
  readonly #code = new Map<Address, Account>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  builtinAccounts(): Iterable<readonly [Address, Account]> {
    return this.#engine.builtinAccounts();
  }

  setAccount(address: Address, account: Account): void {
    this.#engine.setAccount(address, account);
    this.noteAccount(address, account);
  }

  /** Records the object of an account that the engine already has. After a run the ledger stores a copy. */
  noteAccount(address: Address, account: Account): void {
    if (account.lamports === 0n) this.#current.delete(address);
    else this.#current.set(address, account);
  }

  hasValidSignatures(transaction: Transaction): boolean {
    return this.#engine.hasValidSignatures(transaction);
  }

  run(transaction: Transaction, blockhash: Uint8Array, addresses: readonly Address[]): EngineRun {
    return this.#engine.run(transaction, blockhash, addresses);
  }

  /** Updates the accounts at `addresses`, and the code of programs among them, from `accounts`. */
  refresh(addresses: Iterable<Address>, accounts: AccountView): void {
    for (const address of addresses) {
      const account = accounts.get(address);
      // Runtime programs are part of the engine.
      if (account?.owner === NATIVE_LOADER) continue;
      const hasNewCode = account !== undefined && this.#refreshCode(address, account, accounts);
      if (hasNewCode || this.#current.get(address) !== account) this.#set(address, account);
    }
  }

  #refreshCode(address: Address, account: Account, accounts: AccountView): boolean {
    const programData = account.executable ? programDataOf(account) : null;
    if (programData === null) return false;
    const code = accounts.get(programData);
    if (this.#code.get(address) === code) return false;
    this.#set(programData, code);
    if (code === undefined) this.#code.delete(address);
    else this.#code.set(address, code);
    return true;
  }

  #set(address: Address, account: Account | undefined): void {
    if (account === undefined) {
      this.setAccount(address, GONE);
      return;
    }
    // The rollup's slots start at 0. A program deployed in a later slot could not be called.
    this.#engine.setAccount(address, isProgramData(account) ? deployedAtGenesis(account) : account);
    this.#current.set(address, account);
  }
}
