import { assertInvariant } from '../../errors/assert-invariant.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TokenAccountQuery } from '../ledger.ts';
import { dataLength } from './account-data.ts';
import type { AccountRange, AccountSource } from './account-source.ts';
import type { AccountState } from './account-state.ts';
import { Accounts } from './accounts.ts';
import { AddressLists } from './address-lists.ts';
import { isInRange } from './is-in-range.ts';
import { type DataTest, looksAt, looksAtBoth, SteadyEntries } from './steady-entries.ts';
import { readTokenKeys, type TokenKeys } from './token-keys.ts';
import { type GenerationLimits, TwoGenerations } from './two-generations.ts';

type Entry = readonly [Address, Account];

/** Accounts of the source that are kept at hand: twice as many at most, and twice the bytes. */
const HOT_LIMITS: GenerationLimits = { count: 8_192, bytes: 16 * 1024 * 1024 };

/** Of accounts with more data than this together, none is handed out before the next is read, bytes. */
const FEW_BYTES_MAX = 1024 * 1024;

/** What an account takes besides its data, bytes, roughly. */
const ACCOUNT_BYTES = 256;

/** Token keys of accounts that are not in the overlay. Accounts are replaced and never changed. */
const knownKeys = new WeakMap<Account, TokenKeys | null>();

/**
 * The accounts of a ledger whose home is a source: what the source lacks lies in memory over it, until it is
 * settled there. What was never committed, as sysvars and what an engine has built in, stays in memory. What
 * is read from the source is kept at hand for a while.
 */
export class KeptAccounts implements AccountState {
  readonly #source: AccountSource;
  readonly #recent = new Accounts();
  /** What the source has or may get, and is gone. */
  readonly #gone = new Set<Address>();
  /** Those of the gone that are never to be shown, whatever the source has. */
  readonly #hidden = new Set<Address>();
  /** As the source has them; null for what it has not. What is recent or gone counts before it. */
  readonly #hot: TwoGenerations<Address, Account | null>;
  /** Of what the source has. */
  readonly #lists: AddressLists;
  readonly #leaveSource: () => void;
  #size: number;
  #totalLamports: bigint;
  #dataBytes: number;

  constructor(source: AccountSource, limits = HOT_LIMITS) {
    this.#source = source;
    this.#hot = new TwoGenerations(limits, bytesOfHot);
    this.#lists = new AddressLists(source);
    const { count, lamports, dataBytes } = source.totals;
    this.#size = count;
    this.#totalLamports = lamports;
    this.#dataBytes = dataBytes;
    for (const [address, account] of source.pending()) this.#put(address, account ?? undefined);
    this.#leaveSource = source.onSettled((address, account) => this.#settle(address, account));
  }

  get size(): number {
    return this.#size;
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

  /** All of them are kept. */
  get own(): Pick<AccountState, 'get' | 'ownedBy'> {
    return this;
  }

  /** How many lie in memory because the source lacks them. */
  get recentCount(): number {
    return this.#recent.size;
  }

  get(address: Address): Account | undefined {
    const recent = this.#recent.get(address);
    if (recent !== undefined || this.#gone.has(address)) return recent;
    return this.#kept(address);
  }

  /** Has the source hold on to it no longer. Nobody is shown it any more. */
  leave(): void {
    this.#leaveSource();
  }

  set(address: Address, account: Account): void {
    this.#hidden.delete(address);
    this.#put(address, account.lamports === 0n ? undefined : account);
  }

  /** Never shows what is at an address, until something is set there. */
  hide(address: Address): void {
    this.#put(address, undefined);
    this.#gone.add(address);
    this.#hidden.add(address);
  }

  entries(): SteadyEntries {
    return this.#list({ all: true }, () => this.#recent.entries());
  }

  ownedBy(program: Address): SteadyEntries {
    return this.#list({ program }, () => this.#recent.ownedBy(program));
  }

  tokenAccounts(query: TokenAccountQuery): SteadyEntries {
    return this.#list(query, () => this.#recent.tokenAccounts(query));
  }

  *tokenAccountsOf(mint: Address): Iterable<Address> {
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      for (const [address] of this.tokenAccounts({ holder: 'mint', address: mint, program })) yield address;
    }
  }

  tokenKeysAt(address: Address): TokenKeys | null {
    if (this.#recent.get(address) !== undefined) return this.#recent.tokenKeysAt(address);
    const account = this.get(address);
    if (account === undefined) return null;
    let keys = knownKeys.get(account);
    if (keys === undefined) knownKeys.set(account, (keys = readTokenKeys(account)));
    return keys;
  }

  #put(address: Address, account: Account | undefined): void {
    const before = this.get(address);
    this.#size += (account === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
    this.#totalLamports += (account?.lamports ?? 0n) - (before?.lamports ?? 0n);
    this.#dataBytes += bytesOf(account) - bytesOf(before);
    if (this.#isAsKept(address, account)) this.#uncover(address);
    else if (account === undefined) this.#takeAway(address);
    else {
      this.#recent.set(address, account);
      this.#gone.delete(address);
    }
  }

  /** Whether the source has this very object, or has nothing either, and is to get nothing else. */
  #isAsKept(address: Address, account: Account | undefined): boolean {
    return this.#atHand(address) === (account ?? null) && !this.#source.isPending(address);
  }

  #takeAway(address: Address): void {
    this.#dropRecent(address);
    // A commit that is pending may bring it into the source before the one that takes it away.
    if (this.#source.isPending(address) || this.#kept(address) !== undefined) this.#gone.add(address);
  }

  /** The last state that was committed is in the source. What was set since then and not committed stays. */
  #settle(address: Address, account: Account | null): void {
    this.#hot.put(address, account);
    this.#hot.makeRoom();
    if (account !== null) this.#lists.drop(account);
    if (this.#hidden.has(address)) return;
    if ((this.#recent.get(address) ?? null) !== account) return;
    this.#uncover(address);
  }

  #uncover(address: Address): void {
    this.#dropRecent(address);
    this.#gone.delete(address);
  }

  #dropRecent(address: Address): void {
    const recent = this.#recent.get(address);
    if (recent !== undefined) this.#recent.set(address, { ...NOTHING, owner: recent.owner });
  }

  /** Undefined where it is not known what the source has. */
  #atHand(address: Address): Account | null | undefined {
    const hot = this.#hot.get(address);
    // What is found is among the young from then on.
    if (hot !== undefined) this.#hot.makeRoom();
    return hot;
  }

  #kept(address: Address): Account | undefined {
    const hot = this.#atHand(address);
    if (hot !== undefined) return hot ?? undefined;
    const account = this.#source.get(address);
    assertInvariant(account === undefined || account.lamports > 0n, 'no account is kept without lamports');
    this.#hot.put(address, account ?? null);
    this.#hot.makeRoom();
    return account;
  }

  #list(range: AccountRange, findRecent: () => Iterable<Entry>): SteadyEntries {
    return new SteadyEntries({
      now: () => this.#listNow(range, findRecent),
      begin: (test) => {
        const few = this.#findFew(range);
        if (few !== null) return looksAt([...findRecent(), ...few], test);
        const covered = new Set(this.#gone);
        for (const [address] of this.#recent.entries()) covered.add(address);
        return looksAtBoth([...findRecent()], covered, this.#source.walk(range, test), test);
      },
    });
  }

  *#listNow(range: AccountRange, findRecent: () => Iterable<Entry>): Iterable<Entry> {
    yield* findRecent();
    const few = this.#findFew(range);
    if (few !== null) return yield* few;
    for (const look of this.#source.walk(range, ANY)) {
      if (look !== null && !this.#isCovered(look[0])) yield look;
    }
  }

  /** What the source has of a range and shows, where that is little; null where it may be much. */
  #findFew(range: AccountRange): readonly Entry[] | null {
    const few = this.#readListed(range);
    if (few !== undefined) return few;
    this.#lists.forget(range);
    // What is not at an address that has just been read is damage, which a walk tells.
    return this.#readListed(range) ?? null;
  }

  /** The same; undefined when nothing is at one of the listed addresses any more. */
  #readListed(range: AccountRange): readonly Entry[] | null | undefined {
    const addresses = this.#lists.of(range);
    if (addresses === null) return null;
    const found: Entry[] = [];
    let bytes = 0;
    for (const address of addresses) {
      if (this.#isCovered(address)) continue;
      const account = this.#kept(address);
      if (account === undefined) return undefined;
      bytes += bytesOf(account);
      if (bytes > FEW_BYTES_MAX) {
        this.#lists.giveUp(range);
        return null;
      }
      if (isInRange(range, account)) found.push([address, account]);
    }
    return found;
  }

  #isCovered(address: Address): boolean {
    return this.#gone.has(address) || this.#recent.get(address) !== undefined;
  }
}

const ANY: DataTest = () => true;

const NOTHING = { lamports: 0n, data: new Uint8Array(0), executable: false, rentEpoch: 0n };

const bytesOf = (account: Account | undefined): number => (account === undefined ? 0 : dataLength(account));

const bytesOfHot = (account: Account | null): number => ACCOUNT_BYTES + bytesOf(account ?? undefined);
