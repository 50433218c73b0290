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
import { dataLength } from '../state/account-data.ts';
import { type GenerationLimits, TwoGenerations } from '../state/two-generations.ts';
import type { Engine, EngineRun } from './engine.ts';

/**
 * Owners of the accounts an engine reads although no transaction names them, and of code, which takes long to
 * load: it has all of those from the start.
 */
export const OWNERS_LOADED_AT_ONCE: readonly Address[] = [
  NATIVE_LOADER,
  SYSVAR_OWNER,
  FEATURE_PROGRAM,
  'Config1111111111111111111111111111111111111' as Address,
  'BPFLoader1111111111111111111111111111111111' as Address,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  'LoaderV411111111111111111111111111111111111' as Address,
];

const LOADED_AT_ONCE = new Set(OWNERS_LOADED_AT_ONCE);

/** Accounts the engine holds besides those: twice as many at most, and twice the bytes. */
const LOADED_LIMITS: GenerationLimits = { count: 16_384, bytes: 16 * 1024 * 1024 };

/** What an account takes in the engine besides its data, bytes, roughly. */
const ACCOUNT_BYTES = 256;

/**
 * An engine that gets an account when it is first named, and loses it again when it was not named lately. The
 * ledger is asked for it. Code and sysvars are given to it as they are set, and stay.
 */
export class LoadingEngine implements Engine {
  readonly #engine: Engine;
  readonly #read: (address: Address) => Account | undefined;
  /** The bytes of what the engine has, or is known to have nothing of. */
  readonly #loaded: TwoGenerations<Address, number>;
  /** What it keeps. */
  readonly #lasting = new Set<Address>();

  /** @param read the current accounts; must agree with what was set here whenever something runs. */
  constructor(engine: Engine, read: (address: Address) => Account | undefined, limits = LOADED_LIMITS) {
    this.#engine = engine;
    this.#read = read;
    this.#loaded = new TwoGenerations(
      limits,
      (bytes) => bytes,
      (address) => this.#engine.setAccount(address, GONE),
    );
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
    this.#loaded.makeRoom();
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
      this.#loaded.makeRoom();
    }
  }

  #load(address: Address): void {
    if (this.#lasting.has(address) || this.#loaded.get(address) !== undefined) return;
    const account = this.#read(address);
    if (account === undefined) this.#loaded.put(address, ACCOUNT_BYTES);
    else this.#give(address, account);
  }

  #give(address: Address, account: Account): void {
    this.#engine.setAccount(address, account);
    const isLasting = account.lamports > 0n && (account.executable || LOADED_AT_ONCE.has(account.owner));
    if (isLasting || this.#lasting.has(address)) {
      this.#lasting.add(address);
      this.#loaded.delete(address);
    } else {
      const bytes = account.lamports === 0n ? 0 : dataLength(account);
      this.#loaded.put(address, ACCOUNT_BYTES + bytes);
    }
  }
}
