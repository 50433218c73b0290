import { decodeLookupTable } from '../../programs/lookup-table.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TableLookup } from '../../solana/transaction.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import type { LedgerReads } from '../ledger.ts';
import type { LedgerOperator } from '../operator.ts';
import { BoundedSet } from './bounded-set.ts';
import { readCode, readExisting, toLocalEntries } from './clone-accounts.ts';
import type { AccountSource } from './cluster-accounts.ts';
import { inEngineOrder, needsDryRun } from './engine-risk.ts';
import { existedHere } from './local-past.ts';
import { dryRunAccounts } from './dry-run.ts';

/** Addresses that are remembered to have no account, here or there. */
const ABSENT_MAX = 100_000;

/** What a fork is made of. */
interface ForkParts {
  readonly source: AccountSource;
  readonly ledger: Pick<LedgerReads, 'getAccount' | 'head' | 'signaturesFor' | 'subscribe' | 'genesisHash'>;
  readonly operator: Pick<LedgerOperator, 'setAccounts'>;
}

/**
 * A ledger that goes on from the present of a cluster: accounts it does not have are copied from there when
 * they are first needed, and are its own from then on. What is local always wins, closed accounts included.
 * Sysvars, native programs and programs that were closed are never copied. An address without account, here
 * or there, is not asked for again until a restart, or until there were 100,000 others. Both can be told
 * otherwise of single accounts.
 *
 * Only accounts that are named can be copied: what is found by search (by owner, by mint) is found among the
 * local ones.
 */
export class Fork {
  readonly #source: AccountSource;
  readonly #ledger: ForkParts['ledger'];
  readonly #operator: ForkParts['operator'];
  readonly #absent = new BoundedSet<Address>(ABSENT_MAX);
  readonly #loading = new Map<Address, Promise<void>>();
  /** What is never copied; true where what it owns is not copied either. */
  readonly #offline = new Map<Address, boolean>();
  /** What is copied anew in each slot; true where what it owns is as well. */
  readonly #streamed = new Map<Address, boolean>();
  /** The slot in which something streamed was last copied. */
  readonly #copiedAt = new Map<Address, number>();
  readonly #unsubscribe: () => void;
  #genesisHash: string;

  constructor({ source, ledger, operator }: ForkParts) {
    this.#source = source;
    this.#ledger = ledger;
    this.#operator = operator;
    this.#genesisHash = ledger.genesisHash;
    this.#unsubscribe = ledger.subscribe(({ changes }) => {
      for (const { address, after } of changes) if (after === null) this.#absent.add(address);
    });
  }

  /** Those of the addresses of which it is not known yet what account they have, if any. */
  unknown(addresses: readonly Address[]): Address[] {
    this.#forgetAfterReset();
    return addresses.filter((address) => {
      if (this.#offline.has(address)) return false;
      if (this.#isStreamed(address)) return this.#copiedAt.get(address) !== this.#ledger.head().slot;
      return !this.#absent.has(address) && this.#ledger.getAccount(address) === null;
    });
  }

  /**
   * Has an account never be copied, until {@link goOnline} or a reset of the ledger; what is local stays.
   *
   * @param withOwned whether what it owns is not copied either.
   */
  goOffline(address: Address, withOwned: boolean): void {
    this.#forgetAfterReset();
    this.#offline.set(address, withOwned);
  }

  /** Has an account, and what it owns, be copied again when it is missing. */
  goOnline(address: Address): void {
    if (this.#offline.delete(address)) this.#absent.clear();
  }

  /**
   * Has an account be copied anew when it is named for the first time in a slot, whatever was done to it
   * here, until a reset of the ledger. One that the cluster does not have any more stays as it is here.
   *
   * @param withOwned whether the local accounts that it owns are copied anew as well.
   */
  stream(address: Address, withOwned: boolean): void {
    this.#forgetAfterReset();
    this.#streamed.set(address, withOwned);
  }

  /** What is streamed, in the order in which that was asked for. */
  get streamed(): readonly { readonly address: Address; readonly withOwned: boolean }[] {
    this.#forgetAfterReset();
    return Array.from(this.#streamed, ([address, withOwned]) => ({ address, withOwned }));
  }

  /**
   * Resolves when everything that is known of these addresses is local: their accounts, the code of programs
   * among them, and the mints of token accounts. What several ask for at once is read once.
   *
   * @param lookups places in lookup tables, whose addresses are meant as well once the tables are local; the
   *   tables themselves are among `addresses`.
   * @throws {ServiceError} UPSTREAM_* when the cluster does not answer, PROVISION_INVALID when the engine
   *   could not bear one of the accounts, SERVICE_BUSY when too many wait to be tried; whatever else was
   *   asked for is kept. LEDGER_FULL when there is no room for what was asked for.
   */
  async ensure(addresses: readonly Address[], lookups: readonly TableLookup[] = []): Promise<void> {
    await this.#ensure(addresses);
    if (lookups.length > 0) await this.#ensure(lookups.flatMap((lookup) => this.#addressesIn(lookup)));
  }

  /**
   * The accounts at these addresses as the cluster has them now, made local, with the code of the programs
   * among them. Nothing is kept of them.
   *
   * @throws {ServiceError} UPSTREAM_* when the cluster does not answer.
   */
  async readAgain(addresses: readonly Address[]): Promise<readonly AccountEntry[]> {
    const found = await readExisting(this.#source, addresses);
    return toLocalEntries(new Map([...(await readCode(this.#source, found)), ...found]));
  }

  /** Stops listening to the ledger. */
  close(): void {
    this.#unsubscribe();
  }

  async #ensure(addresses: readonly Address[]): Promise<void> {
    const unknown = this.unknown(addresses);
    const fresh = [...new Set(unknown)].filter((address) => !this.#loading.has(address));
    if (fresh.length > 0) {
      const load = this.#load(fresh).finally(() => {
        for (const address of fresh) this.#loading.delete(address);
      });
      for (const address of fresh) this.#loading.set(address, load);
    }
    await Promise.all(unknown.map((address) => this.#loading.get(address)));
  }

  /** As far as there is a table; what is wrong with a lookup is found out by whoever runs the transaction. */
  #addressesIn({ table, writable, readonly }: TableLookup): Address[] {
    const state = decodeLookupTable(this.#ledger.getAccount(table)?.data ?? new Uint8Array(0));
    return [...writable, ...readonly].flatMap((index) => state?.addresses[index] ?? []);
  }

  async #load(addresses: readonly Address[]): Promise<void> {
    const { slot } = this.#ledger.head();
    const streamed = addresses.filter((address) => this.#isStreamed(address));
    const wanted = addresses.filter(
      (address) => streamed.includes(address) || !existedHere(this.#ledger, address),
    );
    const found = this.#online(await readExisting(this.#source, wanted));
    const mints = this.unknown(mintsOf(found)).filter((mint) => !found.has(mint));
    const all = new Map([
      ...(await readCode(this.#source, found)),
      ...(await readExisting(this.#source, mints)),
      ...found,
    ]);
    await this.#keep(toLocalEntries(all));
    for (const address of streamed) this.#copiedAt.set(address, slot);
    for (const address of addresses) if (this.#ledger.getAccount(address) === null) this.#absent.add(address);
  }

  /** Those that may be copied: whose they are is known only once they are read. */
  #online(found: ReadonlyMap<Address, Account>): ReadonlyMap<Address, Account> {
    return new Map([...found].filter(([, { owner }]) => this.#offline.get(owner) !== true));
  }

  #isStreamed(address: Address): boolean {
    if (this.#streamed.size === 0) return false;
    if (this.#streamed.has(address)) return true;
    const owner = this.#ledger.getAccount(address)?.owner;
    return owner !== undefined && this.#streamed.get(owner) === true;
  }

  /** Plain accounts first: they are kept also when a program among the others is refused. */
  async #keep(entries: readonly AccountEntry[]): Promise<void> {
    const risky = entries.filter(needsDryRun);
    await this.#put(entries.filter((entry) => !needsDryRun(entry)));
    await dryRunAccounts(risky);
    await this.#put(inEngineOrder(risky));
  }

  /** What has come into being here while the cluster was asked is newer than its answer. */
  async #put(entries: readonly AccountEntry[]): Promise<void> {
    const unknown = new Set(this.unknown(entries.map(([address]) => address)));
    const missing = entries.filter(([address]) => unknown.has(address));
    if (missing.length > 0) await this.#operator.setAccounts(missing);
  }

  #forgetAfterReset(): void {
    if (this.#genesisHash === this.#ledger.genesisHash) return;
    this.#genesisHash = this.#ledger.genesisHash;
    this.#absent.clear();
    for (const kept of [this.#offline, this.#streamed, this.#copiedAt]) kept.clear();
  }
}

function mintsOf(accounts: ReadonlyMap<Address, Account>): Address[] {
  const mints = [...accounts.values()].flatMap(({ owner, data }) => {
    const account = isTokenProgram(owner) ? decodeTokenAccount(data) : null;
    return account === null ? [] : [account.mint];
  });
  return [...new Set(mints)];
}
