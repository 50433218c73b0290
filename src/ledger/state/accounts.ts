import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TokenAccountQuery } from '../ledger.ts';
import type { AccountState } from './account-state.ts';
import { AddressIndex } from './address-index.ts';
import { readTokenKeys, type TokenKeys } from './token-keys.ts';

type Entry = readonly [Address, Account];

/**
 * Every account of the ledger in memory: what all reads are answered from. Kept with it are who owns which
 * account, and which token accounts a mint, a wallet and a delegate have.
 */
export class Accounts implements AccountState {
  readonly #accounts = new Map<Address, Account>();
  readonly #tokenKeys = new Map<Address, TokenKeys>();
  readonly #byProgram = new AddressIndex();
  /** Of each token program, as the accounts of a mint are looked for among those of its own program. */
  readonly #byMint = new Map([TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((each) => [each, new AddressIndex()]));
  readonly #byHolder = new AddressIndex();
  readonly #byDelegate = new AddressIndex();
  #totalLamports = 0n;
  #dataBytes = 0;

  get size(): number {
    return this.#accounts.size;
  }

  /** The lamports of all accounts together. */
  get totalLamports(): bigint {
    return this.#totalLamports;
  }

  get lamportsCeiling(): bigint {
    return this.#totalLamports;
  }

  /** Bytes of data of all accounts together. */
  get dataBytes(): number {
    return this.#dataBytes;
  }

  /** All of them are kept. */
  get own(): Pick<AccountState, 'get' | 'ownedBy'> {
    return this;
  }

  get(address: Address): Account | undefined {
    return this.#accounts.get(address);
  }

  /** Every account, to be used up before anything changes. */
  entries(): Iterable<Entry> {
    return this.#accounts;
  }

  /** Whose the account at an address is, when it is an initialised token account. */
  tokenKeysAt(address: Address): TokenKeys | null {
    return this.#tokenKeys.get(address) ?? null;
  }

  /** Puts an account in place of what was there; one with 0 lamports is gone from everything. */
  set(address: Address, account: Account): void {
    const before = this.#accounts.get(address);
    const after = account.lamports === 0n ? undefined : account;
    if (after === undefined) this.#accounts.delete(address);
    else this.#accounts.set(address, after);
    this.#totalLamports += account.lamports - (before?.lamports ?? 0n);
    this.#dataBytes += bytesOf(after) - bytesOf(before);
    this.#byProgram.put(address, after, before?.owner, after?.owner);
    this.#relistToken(address, before, after);
  }

  /** The accounts a program owns, to be used up before anything changes. */
  ownedBy(program: Address): Iterable<Entry> {
    return this.#byProgram.get(program);
  }

  /** The addresses of the initialised token accounts of a mint. */
  *tokenAccountsOf(mint: Address): Iterable<Address> {
    for (const index of this.#byMint.values()) yield* index.get(mint).keys();
  }

  /**
   * The initialised token accounts of an owner, a delegate or a mint, to be used up before anything changes.
   */
  tokenAccounts({ holder, address, program, mint }: TokenAccountQuery): Iterable<Entry> {
    if (holder === 'owner') return this.#held(this.#byHolder.get(address), program, mint);
    if (holder === 'delegate') return this.#held(this.#byDelegate.get(address), program, mint);
    return mint !== undefined && mint !== address ? [] : (this.#byMint.get(program)?.get(address) ?? []);
  }

  *#held(entries: Iterable<Entry>, program: Address, mint: Address | undefined): Iterable<Entry> {
    for (const entry of entries) {
      if (entry[1].owner !== program) continue;
      if (mint !== undefined && this.#tokenKeys.get(entry[0])?.mint !== mint) continue;
      yield entry;
    }
  }

  #relistToken(address: Address, before: Account | undefined, after: Account | undefined): void {
    const old = this.tokenKeysAt(address);
    const earlier = before === undefined ? undefined : { account: before, keys: old };
    const now = after === undefined ? null : readTokenKeys(after, earlier);
    if (old === null && now === null) return;
    if (now === null) this.#tokenKeys.delete(address);
    else if (now !== old) this.#tokenKeys.set(address, now);
    const listed = old === null ? undefined : this.#byMint.get(before?.owner as Address);
    const wanted = now === null ? undefined : this.#byMint.get(after?.owner as Address);
    if (listed !== wanted) listed?.put(address, undefined, old?.mint, undefined);
    wanted?.put(address, after, listed === wanted ? old?.mint : undefined, now?.mint);
    this.#byHolder.put(address, after, old?.owner, now?.owner);
    this.#byDelegate.put(address, after, old?.delegate ?? undefined, now?.delegate ?? undefined);
  }
}

const bytesOf = (account: Account | undefined): number => account?.data.length ?? 0;
