import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TokenAccountQuery } from '../ledger.ts';
import type { AccountState } from './account-state.ts';
import { readTokenKeys, type TokenKeys } from './token-keys.ts';

type Entry = readonly [Address, Account];

/**
 * Every account of the ledger, in memory, with indexes by owner program and by mint, wallet and delegate of
 * token accounts.
 */
export class Accounts implements AccountState {
  readonly #accounts = new Map<Address, Account>();
  readonly #tokenKeys = new Map<Address, TokenKeys>();
  readonly #byProgram = new AddressIndex();
  /** By token program: the accounts of a mint belong to the mint's own program. */
  readonly #byMint = new Map([TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((each) => [each, new AddressIndex()]));
  readonly #byHolder = new AddressIndex();
  readonly #byDelegate = new AddressIndex();
  #totalLamports = 0n;
  #dataBytes = 0;

  get size(): number {
    return this.#accounts.size;
  }

  get totalLamports(): bigint {
    return this.#totalLamports;
  }

  get lamportsCeiling(): bigint {
    return this.#totalLamports;
  }

  get dataBytes(): number {
    return this.#dataBytes;
  }

  get own(): Pick<AccountState, 'get' | 'ownedBy'> {
    return this;
  }

  get(address: Address): Account | undefined {
    return this.#accounts.get(address);
  }

  entries(): Iterable<Entry> {
    return this.#accounts;
  }

  tokenKeysAt(address: Address): TokenKeys | null {
    return this.#tokenKeys.get(address) ?? null;
  }

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

  ownedBy(program: Address): Iterable<Entry> {
    return this.#byProgram.get(program);
  }

  *tokenAccountsOf(mint: Address): Iterable<Address> {
    for (const index of this.#byMint.values()) yield* index.get(mint).keys();
  }

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

const NONE: ReadonlyMap<Address, Account> = new Map();

/**
 * An index of accounts by program, mint or wallet. It holds the accounts themselves, because looking each up
 * by address would take most of the time of a scan.
 */
class AddressIndex {
  /** A single entry is stored without a map: most wallets have one token account. */
  readonly #lists = new Map<Address, Map<Address, Account> | readonly [Address, Account]>();

  /** Iterate or copy the result before the next change. */
  get(key: Address): ReadonlyMap<Address, Account> {
    const list = this.#lists.get(key);
    return list === undefined ? NONE : asMap(list);
  }

  /**
   * Moves an account from one key to another. Either key may be undefined, and the account is undefined if it
   * was removed.
   */
  put(
    address: Address,
    account: Account | undefined,
    from: Address | undefined,
    to: Address | undefined,
  ): void {
    if (from !== undefined && from !== to) this.#unlist(address, from);
    if (to === undefined || account === undefined) return;
    const list = this.#lists.get(to);
    if (list instanceof Map) list.set(address, account);
    else if (list === undefined || list[0] === address) this.#lists.set(to, [address, account]);
    else this.#lists.set(to, new Map([list, [address, account]]));
  }

  #unlist(address: Address, key: Address): void {
    const list = this.#lists.get(key);
    if (list instanceof Map) list.delete(address);
    if (list instanceof Map ? list.size === 0 : list?.[0] === address) this.#lists.delete(key);
  }
}

const asMap = (list: ReadonlyMap<Address, Account> | readonly [Address, Account]) =>
  list instanceof Map
    ? (list as ReadonlyMap<Address, Account>)
    : new Map([list as readonly [Address, Account]]);
