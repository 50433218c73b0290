import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { readTokenKeys, type TokenKeys } from './token-keys.ts';

const NONE: ReadonlySet<Address> = new Set();

/**
 * Every account of the ledger in memory: what all reads are answered from. Kept with it are who owns which account, and
 * which token accounts a mint and a wallet have.
 */
export class Accounts {
  readonly #accounts = new Map<Address, Account>();
  readonly #tokenKeys = new Map<Address, TokenKeys>();
  readonly #byProgram = new Map<Address, Set<Address>>();
  readonly #byMint = new Map<Address, Set<Address>>();
  readonly #byHolder = new Map<Address, Set<Address>>();

  get size(): number {
    return this.#accounts.size;
  }

  get(address: Address): Account | undefined {
    return this.#accounts.get(address);
  }

  /** Mint and owner of the account at an address, when it is an initialised token account. */
  tokenKeysAt(address: Address): TokenKeys | null {
    return this.#tokenKeys.get(address) ?? null;
  }

  /** Puts an account in place of what was there; one with 0 lamports is gone from everything. */
  set(address: Address, account: Account): void {
    const before = this.#accounts.get(address);
    const after = account.lamports === 0n ? undefined : account;
    if (after === undefined) this.#accounts.delete(address);
    else this.#accounts.set(address, after);
    if (before?.owner !== after?.owner) {
      if (before !== undefined) unlist(this.#byProgram, before.owner, address);
      if (after !== undefined) list(this.#byProgram, after.owner, address);
    }
    this.#relistToken(address, before, after);
  }

  /** The accounts a program owns. */
  ownedBy(program: Address): ReadonlySet<Address> {
    return this.#byProgram.get(program) ?? NONE;
  }

  /** The initialised token accounts of a mint. */
  tokenAccountsOf(mint: Address): ReadonlySet<Address> {
    return this.#byMint.get(mint) ?? NONE;
  }

  /** The initialised token accounts a wallet may spend from, of all mints. */
  tokenAccountsHeldBy(wallet: Address): ReadonlySet<Address> {
    return this.#byHolder.get(wallet) ?? NONE;
  }

  #relistToken(address: Address, before: Account | undefined, after: Account | undefined): void {
    const old = this.tokenKeysAt(address);
    const earlier = before === undefined ? undefined : { account: before, keys: old };
    const now = after === undefined ? null : readTokenKeys(after, earlier);
    if (old === now) return;
    if (old !== null) {
      this.#tokenKeys.delete(address);
      unlist(this.#byMint, old.mint, address);
      unlist(this.#byHolder, old.owner, address);
    }
    if (now !== null) {
      this.#tokenKeys.set(address, now);
      list(this.#byMint, now.mint, address);
      list(this.#byHolder, now.owner, address);
    }
  }
}

function list(index: Map<Address, Set<Address>>, key: Address, address: Address): void {
  const listed = index.get(key);
  if (listed === undefined) index.set(key, new Set([address]));
  else listed.add(address);
}

function unlist(index: Map<Address, Set<Address>>, key: Address, address: Address): void {
  const listed = index.get(key);
  if (listed?.delete(address) === true && listed.size === 0) index.delete(key);
}
