import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeTokenHolding, isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import type { AccountChange } from '../ledger-events.ts';
import type { TokenAccountQuery } from '../ledger.ts';
import { internAddress } from './intern-address.ts';

type Entry = readonly [Address, Account];

/** The current accounts of a ledger, with indexes. Iterate results before the next change. */
export interface AccountView {
  readonly size: number;
  /** Total lamports of all accounts. */
  readonly totalLamports: bigint;
  /** Bytes of data of the {@link own} accounts. */
  readonly dataBytes: number;
  /** The ledger's own accounts, without those that a rollup shows from base. */
  readonly own: Pick<AccountView, 'get' | 'ownedBy'>;
  get(address: Address): Account | undefined;
  /** Returns every account. */
  entries(): Iterable<Entry>;
  /** Returns the accounts that a program owns. */
  ownedBy(program: Address): Iterable<Entry>;
  /** Returns the mint, owner and delegate of an initialized token account; null for any other account. */
  tokenKeysAt(address: Address): TokenKeys | null;
  /** Returns the addresses of the initialized token accounts of a mint. */
  tokenAccountsOf(mint: Address): Iterable<Address>;
  /** Returns the initialized token accounts of an owner, a delegate or a mint. */
  tokenAccounts(query: TokenAccountQuery): Iterable<Entry>;
}

/** The accounts of a ledger, which transactions change. */
export interface AccountState extends AccountView {
  /** An upper bound of `totalLamports` that takes constant time. */
  readonly lamportsCeiling: bigint;
  /** Sets an account, or removes it if it has 0 lamports. */
  set(address: Address, account: Account): void;
}

/** Whether two accounts differ in any field. */
export function isDifferent(a: Account, b: Account): boolean {
  return (
    a.lamports !== b.lamports ||
    a.owner !== b.owner ||
    a.executable !== b.executable ||
    a.rentEpoch !== b.rentEpoch ||
    Buffer.compare(a.data, b.data) !== 0
  );
}

/** Returns the account changes that turn `before` into `after`. */
export function differences(before: AccountView, after: AccountView): AccountChange[] {
  const changes: AccountChange[] = [];
  for (const [address, account] of before.entries()) {
    const now = after.get(address);
    if (now === undefined || isDifferent(account, now)) {
      changes.push({ address, before: account, after: now ?? null });
    }
  }
  for (const [address, account] of after.entries()) {
    if (before.get(address) === undefined) changes.push({ address, before: null, after: account });
  }
  return changes;
}

/** Accounts as of an earlier moment. */
export type EarlierAccounts = Pick<AccountView, 'get' | 'ownedBy'>;

/**
 * Returns the accounts as they were before some changes.
 *
 * @param changes the changes in the order in which they happened.
 * @param accounts the accounts after all of these changes.
 */
export function accountsBefore(changes: Iterable<AccountChange>, accounts: AccountView): EarlierAccounts {
  const before = new Map<Address, Account | null>();
  for (const change of changes) {
    if (!before.has(change.address)) before.set(change.address, change.before);
  }
  if (before.size === 0) return accounts;
  return {
    get(address) {
      const account = before.get(address);
      return account === undefined ? accounts.get(address) : (account ?? undefined);
    },
    *ownedBy(program) {
      for (const entry of accounts.ownedBy(program)) if (!before.has(entry[0])) yield entry;
      for (const [address, account] of before) if (account?.owner === program) yield [address, account];
    },
  };
}

/** All accounts of a ledger, in memory, with indexes by program, mint, wallet and delegate. */
export class Accounts implements AccountState {
  readonly #accounts = new Map<Address, Account>();
  readonly #tokenKeys = new Map<Address, TokenKeys>();
  readonly #byProgram = new AddressIndex();
  /** Token accounts by token program, because a mint's accounts belong to the mint's program. */
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
 * An index of accounts by program, mint or wallet. It contains the accounts, because looking up each by
 * address would take most of the time of a scan.
 */
class AddressIndex {
  /** A single entry is stored without a map, because most wallets have one token account. */
  readonly #lists = new Map<Address, Map<Address, Account> | readonly [Address, Account]>();

  /** Returns the accounts of a key by address. The result is valid only until the next change. */
  get(key: Address): ReadonlyMap<Address, Account> {
    const list = this.#lists.get(key);
    return list === undefined ? NONE : asMap(list);
  }

  /** Moves an account from one key to another. A missing key or a removed account is undefined. */
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

/** The addresses in a token account. */
export interface TokenKeys {
  readonly mint: Address;
  /** The wallet that owns the account, and not the token program. */
  readonly owner: Address;
  /** The address that may also spend from the account; null if there is none. */
  readonly delegate: Address | null;
}

/**
 * SPL Token `Account`: mint 32, owner 32, amount u64, delegate (u32 tag, 32), state u8 (1 initialized, 2
 * frozen).
 */
const OWNER_AT = 32;
const AMOUNT_AT = 64;
const DELEGATE_AT = 72;
const STATE_AT = 108;

interface KnownTokenKeys {
  readonly account: Account;
  readonly keys: TokenKeys | null;
}

/**
 * Reads the mint, owner and delegate of an initialized token account; null for any other account.
 *
 * @param earlier the account before a change. Comparing its addresses, which rarely change, is cheaper than
 *   encoding them.
 */
export function readTokenKeys(account: Account, earlier?: KnownTokenKeys): TokenKeys | null {
  if (!isTokenProgram(account.owner)) return null;
  const { data } = account;
  if (earlier !== undefined && earlier.keys !== null && hasSameKeys(data, earlier.account.data)) {
    return earlier.keys;
  }
  if (decodeTokenHolding(data) === null) return null;
  return {
    mint: internAddress(data.subarray(0, OWNER_AT)),
    owner: addressOf(data.subarray(OWNER_AT, AMOUNT_AT)),
    delegate: data[DELEGATE_AT] === 1 ? addressOf(data.subarray(DELEGATE_AT + 4, STATE_AT)) : null,
  };
}

/**
 * Returns the amount of a token account, in base units.
 *
 * @throws {RangeError} if the data is too short.
 */
export function readTokenAmount(data: Uint8Array): bigint {
  if (data.length < DELEGATE_AT)
    throw new RangeError(`Account data of ${data.length} bytes is too short to contain a token amount`);
  return (BigInt(readU32(data, AMOUNT_AT + 4)) << 32n) | BigInt(readU32(data, AMOUNT_AT));
}

/** Reads byte by byte, because a new DataView for one number takes twenty times as long. */
function readU32(data: Uint8Array, at: number): number {
  let value = 0;
  for (let i = 3; i >= 0; i--) value = value * 256 + (data[at + i] as number);
  return value;
}

/** Whether `data` is an initialized token account with the same addresses as the token account `earlier`. */
function hasSameKeys(data: Uint8Array, earlier: Uint8Array): boolean {
  if (data.length !== earlier.length || decodeTokenHolding(data) === null) return false;
  return hasSameBytes(data, earlier, 0, AMOUNT_AT) && hasSameBytes(data, earlier, DELEGATE_AT, STATE_AT);
}

function hasSameBytes(a: Uint8Array, b: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (a[at] !== b[at]) return false;
  return true;
}
