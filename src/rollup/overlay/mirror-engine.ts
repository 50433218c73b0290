import type { Engine, EngineRun } from '../../ledger/engine/engine.ts';
import { deployedAtGenesis, isProgramData } from '../../ledger/genesis/program-accounts.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { programDataAddress } from '../../ledger/run/loaded-data-size.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import { BPF_LOADER_UPGRADEABLE, NATIVE_LOADER } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { SetObserver } from './overlay-accounts.ts';

/**
 * An engine whose accounts are brought up to date right before they are needed, by {@link refresh}. An
 * account is given to it again only when it is another object than the one it was given last: accounts are
 * replaced and never changed.
 */
export class MirrorEngine implements Engine, SetObserver {
  readonly #engine: Engine;
  readonly #given = new Map<Address, Account>();
  /** The ProgramData each program was given with. */
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

  /** The engine has this account: what comes out of a run is replaced by a copy that it has not seen. */
  noteAccount(address: Address, account: Account): void {
    if (account.lamports === 0n) this.#given.delete(address);
    else this.#given.set(address, account);
  }

  hasValidSignatures(transaction: Transaction): boolean {
    return this.#engine.hasValidSignatures(transaction);
  }

  run(transaction: Transaction, blockhash: Uint8Array, addresses: readonly Address[]): EngineRun {
    return this.#engine.run(transaction, blockhash, addresses);
  }

  /**
   * Brings the accounts at `addresses`, and the code of the programs among them, to what they are in
   * `accounts`.
   */
  refresh(addresses: Iterable<Address>, accounts: AccountView): void {
    for (const address of addresses) {
      const account = accounts.get(address);
      // Programs of the runtime are part of the engine.
      if (account?.owner === NATIVE_LOADER) continue;
      const hasNewCode = account !== undefined && this.#refreshCode(address, account, accounts);
      if (hasNewCode || this.#given.get(address) !== account) this.#give(address, account);
    }
  }

  #refreshCode(address: Address, { executable, owner, data }: Account, accounts: AccountView): boolean {
    if (!executable || owner !== BPF_LOADER_UPGRADEABLE) return false;
    const programData = programDataAddress(data);
    if (programData === null) return false;
    const code = accounts.get(programData);
    if (this.#code.get(address) === code) return false;
    this.#give(programData, code);
    if (code === undefined) this.#code.delete(address);
    else this.#code.set(address, code);
    return true;
  }

  #give(address: Address, account: Account | undefined): void {
    if (account === undefined) {
      this.setAccount(address, GONE);
      return;
    }
    // Slots are counted anew here, and a program that was deployed in a later one could not be called.
    this.#engine.setAccount(address, isProgramData(account) ? deployedAtGenesis(account) : account);
    this.#given.set(address, account);
  }
}
