import { CONFIG_PROGRAM, NATIVE_LOADER, SYSVAR_OWNER } from '../../programs/addresses.ts';
import { FEATURE_PROGRAM } from '../../programs/feature.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { programDataOf } from '../genesis/program-accounts.ts';
import { GONE } from '../run/account-states.ts';
import { type Engine, type EngineRun, LOADER_V4, LOADERS } from './engine.ts';

/** Owners of accounts that are set at startup, because the engine reads them for any transaction. */
const READ_UNNAMED: ReadonlySet<Address> = new Set([NATIVE_LOADER, LOADER_V4, SYSVAR_OWNER, CONFIG_PROGRAM]);

/** Owners of programs and features. Code is slow to load, and it depends on the active features. */
const OWNERS_OF_CODE: ReadonlySet<Address> = new Set([...LOADERS, FEATURE_PROGRAM]);

/** Maximum number and bytes of the other accounts in the engine. */
const LOADED_LIMITS = { count: 32_768, bytes: 32 * 1024 * 1024 } as const;

/** Approximate size of an account in the engine in addition to its data, in bytes. */
const ACCOUNT_BYTES = 256;

/**
 * An engine that loads an account from the ledger when a transaction first names it, and removes the least
 * recently used accounts. Code and sysvars stay. Loading all accounts at startup would take 3 s for 100,000
 * accounts and double their memory.
 */
export class LoadingEngine implements Engine {
  readonly #engine: Engine;
  readonly #read: (address: Address) => Account | undefined;
  readonly #limits: { readonly count: number; readonly bytes: number };
  /** Bytes of each loaded account, including absent ones, least recently used first. */
  readonly #loaded = new Map<Address, number>();
  #loadedBytes = 0;
  readonly #permanent = new Set<Address>();

  /** @param read reads a current account. The account set here must equal it whenever a transaction runs. */
  constructor(
    engine: Engine,
    read: (address: Address) => Account | undefined,
    limits: { readonly count: number; readonly bytes: number } = LOADED_LIMITS,
  ) {
    this.#engine = engine;
    this.#read = read;
    this.#limits = limits;
  }

  *builtinAccounts(): Iterable<readonly [Address, Account]> {
    for (const entry of this.#engine.builtinAccounts()) {
      if (isSetAtStart(entry[1])) this.#permanent.add(entry[0]);
      yield entry;
    }
  }

  setAccount(address: Address, account: Account): void {
    // The engine checks an account before it removes it.
    if (account.lamports === 0n) this.#load(address);
    this.#give(address, account);
    this.#makeRoom();
  }

  hasValidSignatures(transaction: Transaction): boolean {
    return this.#engine.hasValidSignatures(transaction);
  }

  run(transaction: Transaction, blockhash: Uint8Array, addresses: readonly Address[]): EngineRun {
    for (const { table } of transaction.lookups) this.#load(table);
    for (const address of addresses) this.#load(address);
    try {
      return this.#engine.run(transaction, blockhash, addresses);
    } finally {
      // Makes room after the run, because the run may need more than the limits.
      this.#makeRoom();
    }
  }

  #load(address: Address): void {
    if (this.#permanent.has(address)) return;
    const bytes = this.#loaded.get(address);
    if (bytes !== undefined) return this.#note(address, bytes);
    const account = this.#read(address);
    // The engine rejects a program without its ProgramData.
    if (account === undefined || this.#lacksCode(account)) this.#note(address, ACCOUNT_BYTES);
    else this.#give(address, account);
  }

  #lacksCode(account: Account): boolean {
    const programData = account.executable ? programDataOf(account) : null;
    return programData !== null && !this.#permanent.has(programData) && this.#read(programData) === undefined;
  }

  #give(address: Address, account: Account): void {
    const programData = account.executable ? programDataOf(account) : null;
    if (programData !== null) this.#load(programData);
    this.#engine.setAccount(address, account);
    if (isPermanent(account) || this.#permanent.has(address)) {
      this.#permanent.add(address);
      this.#forget(address);
    } else {
      this.#note(address, ACCOUNT_BYTES + (account.lamports === 0n ? 0 : account.data.length));
    }
  }

  #note(address: Address, bytes: number): void {
    this.#forget(address);
    this.#loaded.set(address, bytes);
    this.#loadedBytes += bytes;
  }

  #forget(address: Address): void {
    this.#loadedBytes -= this.#loaded.get(address) ?? 0;
    this.#loaded.delete(address);
  }

  #makeRoom(): void {
    for (const address of this.#loaded.keys()) {
      if (this.#loaded.size <= this.#limits.count && this.#loadedBytes <= this.#limits.bytes) break;
      this.#forget(address);
      this.#engine.setAccount(address, GONE);
    }
  }
}

/** Whether the engine needs an account before a transaction names it. */
export const isSetAtStart = (account: Account): boolean =>
  account.lamports > 0n && READ_UNNAMED.has(account.owner);

const isPermanent = (account: Account): boolean =>
  isSetAtStart(account) ||
  (account.lamports > 0n && (account.executable || OWNERS_OF_CODE.has(account.owner)));
