import { FEATURE_PROGRAM } from '../../programs/feature.ts';
import {
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  NATIVE_LOADER,
  SYSVAR_OWNER,
} from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { GONE } from '../run/account-states.ts';
import type { Engine, EngineRun } from './engine.ts';

/**
 * Owners of the accounts an engine reads although no transaction names them, and of code, which takes long to
 * load: it has all of those from the start.
 */
const LOADED_AT_ONCE: ReadonlySet<Address> = new Set([
  NATIVE_LOADER,
  SYSVAR_OWNER,
  FEATURE_PROGRAM,
  'Config1111111111111111111111111111111111111' as Address,
  'BPFLoader1111111111111111111111111111111111' as Address,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  'LoaderV411111111111111111111111111111111111' as Address,
]);

/** Accounts the engine holds besides those, and bytes of them, at most. */
const LOADED_LIMITS = { count: 32_768, bytes: 32 * 1024 * 1024 } as const;

/** What an account takes in the engine besides its data, bytes, roughly. */
const ACCOUNT_BYTES = 256;

/**
 * An engine that gets an account when it is first named, and loses it again when it was not named lately. The
 * ledger is asked for it. Code and sysvars are given to it as they are set, and stay.
 */
export class LoadingEngine implements Engine {
  readonly #engine: Engine;
  readonly #read: (address: Address) => Account | undefined;
  readonly #limits: { readonly count: number; readonly bytes: number };
  /** The bytes of what the engine has, or is known to have nothing of, the least recently used first. */
  readonly #loaded = new Map<Address, number>();
  #loadedBytes = 0;
  /** What it keeps. */
  readonly #lasting = new Set<Address>();

  /** @param read the current accounts; must agree with what was set here whenever something runs. */
  constructor(
    engine: Engine,
    read: (address: Address) => Account | undefined,
    limits: { readonly count: number; readonly bytes: number } = LOADED_LIMITS,
  ) {
    this.#engine = engine;
    this.#read = read;
    this.#limits = limits;
  }

  /** How many accounts the engine has, or is known to have nothing of, besides those that it keeps. */
  get loadedCount(): number {
    return this.#loaded.size;
  }

  *builtinAccounts(): Iterable<readonly [Address, Account]> {
    for (const entry of this.#engine.builtinAccounts()) {
      this.#lasting.add(entry[0]);
      yield entry;
    }
  }

  setAccount(address: Address, account: Account): void {
    // What it has there decides whether it may be taken away.
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
      // Not before: a run may need more than the limits.
      this.#makeRoom();
    }
  }

  #load(address: Address): void {
    if (this.#lasting.has(address)) return;
    const bytes = this.#loaded.get(address);
    if (bytes !== undefined) return this.#note(address, bytes);
    const account = this.#read(address);
    if (account === undefined) this.#note(address, ACCOUNT_BYTES);
    else this.#give(address, account);
  }

  #give(address: Address, account: Account): void {
    this.#engine.setAccount(address, account);
    if (isLoadedAtOnce(account) || this.#lasting.has(address)) {
      this.#lasting.add(address);
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

/** Whether an engine is to have an account from the start. */
export const isLoadedAtOnce = (account: Account): boolean =>
  account.lamports > 0n && (account.executable || LOADED_AT_ONCE.has(account.owner));
