import type { Engine, EngineRun } from '../../ledger/engine/engine.ts';
import { deployedAtGenesis, isProgramData, programDataOf } from '../../ledger/genesis/program-accounts.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import type { AccountView } from '../../ledger/state/accounts.ts';
import { NATIVE_LOADER } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { SetObserver } from './overlay-accounts.ts';

/**
 * An engine whose accounts are updated by {@link refresh} right before they are needed. An account is set
 * again only if it is another object than the last one, because accounts are replaced and never modified.
 */
export class MirrorEngine implements Engine, SetObserver {
  readonly #engine: Engine;
  readonly #current = new Map<Address, Account>();
  /** The ProgramData with which each program was set. */
  readonly #code = new Map<Address, Account>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  builtinAccounts(): Iterable<readonly [Address, Account]> {
    return this.#engine.builtinAccounts();
  }

  setAccount(address: Address, account: Account): void {
    this.#engine.setAccount(address, account);
    this.noteAccount(address, account);
  }

  /**
   * Records that the engine has this account. After a run the ledger stores a copy that the engine has not
   * seen.
   */
  noteAccount(address: Address, account: Account): void {
    if (account.lamports === 0n) this.#current.delete(address);
    else this.#current.set(address, account);
  }

  hasValidSignatures(transaction: Transaction): boolean {
    return this.#engine.hasValidSignatures(transaction);
  }

  run(transaction: Transaction, blockhash: Uint8Array, addresses: readonly Address[]): EngineRun {
    return this.#engine.run(transaction, blockhash, addresses);
  }

  /**
   * Updates the accounts at `addresses`, and the code of the programs among them, to their state in
   * `accounts`.
   */
  refresh(addresses: Iterable<Address>, accounts: AccountView): void {
    for (const address of addresses) {
      const account = accounts.get(address);
      // Runtime programs are part of the engine.
      if (account?.owner === NATIVE_LOADER) continue;
      const hasNewCode = account !== undefined && this.#refreshCode(address, account, accounts);
      if (hasNewCode || this.#current.get(address) !== account) this.#set(address, account);
    }
  }

  #refreshCode(address: Address, account: Account, accounts: AccountView): boolean {
    const programData = account.executable ? programDataOf(account) : null;
    if (programData === null) return false;
    const code = accounts.get(programData);
    if (this.#code.get(address) === code) return false;
    this.#set(programData, code);
    if (code === undefined) this.#code.delete(address);
    else this.#code.set(address, code);
    return true;
  }

  #set(address: Address, account: Account | undefined): void {
    if (account === undefined) {
      this.setAccount(address, GONE);
      return;
    }
    // The rollup's slots start at 0. A program deployed in a later slot could not be called.
    this.#engine.setAccount(address, isProgramData(account) ? deployedAtGenesis(account) : account);
    this.#current.set(address, account);
  }
}
