import type { Engine, EngineRun, ExecutedAccount } from '../../ledger/engine/engine.ts';
import type { Account } from '../../solana/account.ts';
import { addressBytes, type Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';

const NO_DATA = new Uint8Array(0);

/**
 * An engine that has one account without its data. A large account that no program reads or writes would be
 * copied into each instruction that names it, and out again: some 25 ms for 5 MiB. What comes out of a run
 * has the data that was set.
 */
export class HollowEngine implements Engine {
  readonly #engine: Engine;
  readonly #hollow: Address;
  readonly #key: Uint8Array;
  #data: Uint8Array = NO_DATA;

  /** @param hollow an account of a program that never writes it. */
  constructor(engine: Engine, hollow: Address) {
    this.#engine = engine;
    this.#hollow = hollow;
    this.#key = addressBytes(hollow);
  }

  builtinAccounts(): Iterable<readonly [Address, Account]> {
    return this.#engine.builtinAccounts();
  }

  setAccount(address: Address, account: Account): void {
    if (address !== this.#hollow) return this.#engine.setAccount(address, account);
    this.#data = account.data;
    this.#engine.setAccount(address, { ...account, data: NO_DATA });
  }

  hasValidSignatures(transaction: Transaction): boolean {
    return this.#engine.hasValidSignatures(transaction);
  }

  run(transaction: Transaction, blockhash: Uint8Array, addresses: readonly Address[]): EngineRun {
    const run = this.#engine.run(transaction, blockhash, addresses);
    if (!addresses.includes(this.#hollow)) return run;
    return { ...run, accounts: run.accounts.map((account) => this.#fill(account)) };
  }

  #fill(account: ExecutedAccount): ExecutedAccount {
    if (Buffer.compare(account.key, this.#key) !== 0 || account.lamports === 0n) return account;
    const { key, lamports, owner, executable, rentEpoch } = account;
    return { key, lamports, owner, executable, rentEpoch, data: this.#data, presumeOwner() {} };
  }
}
