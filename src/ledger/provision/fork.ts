import type { SendOptions, SimulationResult } from '../../chain/chain.ts';
import { decodeLookupTable } from '../../programs/lookup-table.ts';
import { decodeTokenAccount, isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction, type TableLookup, WireError } from '../../solana/transaction.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import { LedgerChain } from '../ledger-chain.ts';
import type { HistoryReads, LedgerOperator, LedgerReads, TransactionRecord } from '../ledger.ts';
import { type AccountSource, readCode, readExisting, toLocalEntries } from './clone-accounts.ts';
import { dryRunAccounts, inEngineOrder, needsDryRun } from './dry-run.ts';

/** Maximum number of records searched in an address's history. */
const RECORDS_MAX = 100;

/** Whether an absent account existed here before and was closed by a transaction. */
function existedHere(ledger: Pick<HistoryReads, 'signaturesFor'>, address: Address): boolean {
  return ledger.signaturesFor({ address, limit: RECORDS_MAX }).some((record) => hadLamports(record, address));
}

function hadLamports(record: TransactionRecord, address: Address): boolean {
  const { writable, readonly } = record.loadedAddresses;
  const keys = [...decodeTransaction(record.wire).staticKeys, ...writable, ...readonly];
  const index = keys.indexOf(address);
  return (record.preBalances[index] ?? 0n) > 0n || (record.postBalances[index] ?? 0n) > 0n;
}

/** Maximum number of cached absent addresses. */
const ABSENT_MAX = 100_000;

interface ForkParts {
  readonly source: AccountSource;
  readonly ledger: Pick<LedgerReads, 'getAccount' | 'head' | 'signaturesFor' | 'subscribe' | 'genesisHash'>;
  readonly operator: Pick<LedgerOperator, 'setAccounts'>;
}

/**
 * A ledger forked from the current state of a cluster. A missing account is copied from the cluster on first
 * use. Local state always takes precedence, including closed accounts. Sysvars, native programs and closed
 * programs are never copied.
 *
 * An address that is absent on both sides is not requested again until a restart, or until 100,000 such
 * addresses are cached. Searches (by owner, by mint) cover local accounts only.
 */
export class Fork {
  readonly #source: AccountSource;
  readonly #ledger: ForkParts['ledger'];
  readonly #operator: ForkParts['operator'];
  readonly #absent = new Set<Address>();
  readonly #loading = new Map<Address, Promise<void>>();
  readonly #unsubscribe: () => void;
  #genesisHash: string;

  constructor({ source, ledger, operator }: ForkParts) {
    this.#source = source;
    this.#ledger = ledger;
    this.#operator = operator;
    this.#genesisHash = ledger.genesisHash;
    this.#unsubscribe = ledger.subscribe(({ changes }) => {
      for (const { address, after } of changes) if (after === null) this.#noteAbsent(address);
    });
  }

  /** Returns the addresses whose state is not known here yet. */
  unknown(addresses: readonly Address[]): Address[] {
    this.#forgetAfterReset();
    return addresses.filter(
      (address) => !this.#absent.has(address) && this.#ledger.getAccount(address) === null,
    );
  }

  /**
   * Copies the missing accounts at these addresses, with the code of programs and the mints of token
   * accounts. Concurrent requests for the same address share one read.
   *
   * @param lookups entries of lookup tables whose accounts are copied too. The tables must be among
   *   `addresses`.
   * @throws {ServiceError} UPSTREAM_* if the cluster does not answer; PROVISION_INVALID if the engine rejects
   *   an account. In both cases the other accounts are stored. LEDGER_FULL if there is no room.
   */
  async ensure(addresses: readonly Address[], lookups: readonly TableLookup[] = []): Promise<void> {
    await this.#ensure(addresses);
    if (lookups.length > 0) await this.#ensure(lookups.flatMap((lookup) => this.#addressesIn(lookup)));
  }

  /**
   * Reads the accounts at these addresses from the cluster as ledger entries, with the code of programs.
   * Stores nothing.
   *
   * @throws {ServiceError} UPSTREAM_* if the cluster does not answer.
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

  /** Resolves a lookup; empty if its table is missing. The transaction reports lookup faults when it runs. */
  #addressesIn({ table, writable, readonly }: TableLookup): Address[] {
    const state = decodeLookupTable(this.#ledger.getAccount(table)?.data ?? new Uint8Array(0));
    return [...writable, ...readonly].flatMap((index) => state?.addresses[index] ?? []);
  }

  async #load(addresses: readonly Address[]): Promise<void> {
    const wanted = addresses.filter((address) => !existedHere(this.#ledger, address));
    const found = await readExisting(this.#source, wanted);
    const mints = this.unknown(mintsOf(found)).filter((mint) => !found.has(mint));
    const all = new Map([
      ...(await readCode(this.#source, found)),
      ...(await readExisting(this.#source, mints)),
      ...found,
    ]);
    await this.#store(toLocalEntries(all));
    for (const address of addresses) if (this.#ledger.getAccount(address) === null) this.#noteAbsent(address);
  }

  /** Sets plain accounts first. They are stored even if the engine rejects a program among the others. */
  async #store(entries: readonly AccountEntry[]): Promise<void> {
    const risky = entries.filter(needsDryRun);
    await this.#put(entries.filter((entry) => !needsDryRun(entry)));
    dryRunAccounts(risky);
    await this.#put(inEngineOrder(risky));
  }

  /** Sets accounts, except those created here during the request, which are newer than the answer. */
  async #put(entries: readonly AccountEntry[]): Promise<void> {
    const unknown = new Set(this.unknown(entries.map(([address]) => address)));
    const missing = entries.filter(([address]) => unknown.has(address));
    if (missing.length > 0) await this.#operator.setAccounts(missing);
  }

  #noteAbsent(address: Address): void {
    if (this.#absent.size >= ABSENT_MAX) this.#absent.clear();
    this.#absent.add(address);
  }

  #forgetAfterReset(): void {
    if (this.#genesisHash === this.#ledger.genesisHash) return;
    this.#genesisHash = this.#ledger.genesisHash;
    this.#absent.clear();
  }
}

function mintsOf(accounts: ReadonlyMap<Address, Account>): Address[] {
  const mints = [...accounts.values()].flatMap(({ owner, data }) => {
    const account = isTokenProgram(owner) ? decodeTokenAccount(data) : null;
    return account === null ? [] : [account.mint];
  });
  return [...new Set(mints)];
}

/**
 * The chain of a forked ledger. Copies accounts before they are read or used in a transaction. Searches cover
 * local accounts only.
 */
export class ForkedChain extends LedgerChain {
  readonly #fork: Fork;

  constructor(fork: Fork, ...chain: ConstructorParameters<typeof LedgerChain>) {
    super(...chain);
    this.#fork = fork;
  }

  override async getAccounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]> {
    await this.#fork.ensure(addresses);
    return await super.getAccounts(addresses);
  }

  override async simulateTransaction(wire: Uint8Array, watch: readonly Address[]): Promise<SimulationResult> {
    await this.#copyNamed(wire, watch);
    return await super.simulateTransaction(wire, watch);
  }

  override async sendTransaction(wire: Uint8Array, token?: string, options?: SendOptions): Promise<string> {
    await this.#copyNamed(wire, []);
    return await super.sendTransaction(wire, token, options);
  }

  async #copyNamed(wire: Uint8Array, others: readonly Address[]): Promise<void> {
    try {
      const { staticKeys, lookups } = decodeTransaction(wire);
      await this.#fork.ensure([...staticKeys, ...others, ...lookups.map(({ table }) => table)], lookups);
    } catch (error) {
      // The chain reports the error of an undecodable transaction.
      if (!(error instanceof WireError)) throw error;
    }
  }
}
