import { BPF_LOADER_2, BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { GONE } from '../run/account-states.ts';
import type { Engine, EngineRun } from './engine.ts';

/** Owners of what an engine compiles and keeps compiled. */
const LOADERS: ReadonlySet<Address> = new Set([
  'BPFLoader1111111111111111111111111111111111' as Address,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  'LoaderV411111111111111111111111111111111111' as Address,
]);

/** What is handed over from one bank to the next. */
interface Possessions {
  readonly engine: Engine;
  /** What the engine was created with. */
  readonly builtin: ReadonlyMap<Address, Account>;
  /** What it has instead, and besides. */
  readonly given: Map<Address, Account>;
}

/**
 * An engine that one bank after the other has. To each it is as a new one: whatever the bank before left in
 * it is set back before anything runs. What both have is not set again, as long as it is the same object:
 * accounts are replaced and never changed.
 *
 * Code is compiled when it is set, and the engine keeps it. So code of the bank before stays while nobody
 * names it, and where it is named, or other code is set in its place, the engine is made anew.
 */
export class KeptEngine implements Engine {
  readonly #make: () => Engine;
  /** Null once it was handed over. */
  #has: Possessions | null;
  /** What the bank before gave it, and this one has not yet. */
  readonly #left: Set<Address>;
  /** Whether what is left is nothing but code. */
  #isSwept: boolean;

  /** @param make an engine as new as the first one. */
  constructor(make: () => Engine, before: Possessions = createPossessions(make)) {
    this.#make = make;
    this.#has = before;
    this.#left = new Set(before.given.keys());
    this.#isSwept = this.#left.size === 0;
  }

  /** The same engine for the next bank. This one runs nothing any more. */
  handOver(): KeptEngine {
    const next = new KeptEngine(this.#make, this.#possessions());
    this.#has = null;
    return next;
  }

  builtinAccounts(): Iterable<readonly [Address, Account]> {
    return this.#possessions().builtin;
  }

  setAccount(address: Address, account: Account): void {
    const { given, builtin } = this.#possessions();
    if (this.#left.has(address)) {
      const before = given.get(address);
      if (before !== account && (isCode(before) || isCode(account))) this.#renew();
      this.#left.delete(address);
      if (before === account) return;
    }
    this.#possessions().engine.setAccount(address, account);
    const has = this.#possessions().given;
    if (account.lamports > 0n || builtin.has(address)) has.set(address, account);
    else has.delete(address);
  }

  hasValidSignatures(transaction: Transaction): boolean {
    return this.#possessions().engine.hasValidSignatures(transaction);
  }

  run(transaction: Transaction, blockhash: Uint8Array, addresses: readonly Address[]): EngineRun {
    this.#sweep();
    if (this.#left.size > 0 && addresses.some((address) => this.#left.has(address))) this.#renew();
    return this.#possessions().engine.run(transaction, blockhash, addresses);
  }

  #possessions(): Possessions {
    if (this.#has !== null) return this.#has;
    throw new Error('the engine was handed over to another bank');
  }

  /** Takes away what the bank before gave it and this one did not. */
  #sweep(): void {
    if (this.#isSwept) return;
    this.#isSwept = true;
    const { engine, builtin, given } = this.#possessions();
    for (const address of this.#left) {
      if (isCode(given.get(address)) || isCode(builtin.get(address))) continue;
      engine.setAccount(address, builtin.get(address) ?? GONE);
      given.delete(address);
      this.#left.delete(address);
    }
  }

  /** A new engine, with what this bank has given it so far. */
  #renew(): void {
    const fresh = createPossessions(this.#make);
    const entries = [...this.#possessions().given].filter(([address]) => !this.#left.has(address));
    // Programs last: the engine looks for their data when they are put in place.
    const inOrder = entries.toSorted(
      ([, one], [, other]) => Number(one.executable) - Number(other.executable),
    );
    for (const [address, account] of inOrder) {
      fresh.engine.setAccount(address, account);
      fresh.given.set(address, account);
    }
    this.#left.clear();
    this.#isSwept = true;
    this.#has = fresh;
  }
}

function createPossessions(make: () => Engine): Possessions {
  const engine = make();
  return { engine, builtin: new Map(engine.builtinAccounts()), given: new Map() };
}

const isCode = (account: Account | undefined): boolean =>
  account !== undefined && (account.executable || LOADERS.has(account.owner));
