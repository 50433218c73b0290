import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

const NONE: ReadonlyMap<Address, Account> = new Map();

/**
 * Accounts by a key of theirs: those of a program, of a mint, of a wallet. They are kept with their
 * addresses, as looking each up would take most of the time of reading many.
 */
export class AddressIndex {
  readonly #lists = new Map<Address, Map<Address, Account>>();

  /** To be used up, or copied, before anything changes. */
  get(key: Address): ReadonlyMap<Address, Account> {
    return this.#lists.get(key) ?? NONE;
  }

  /**
   * Lists an account that was under one key under another; either may be none, as the account is when it is
   * gone.
   */
  put(
    address: Address,
    account: Account | undefined,
    from: Address | undefined,
    to: Address | undefined,
  ): void {
    if (from !== undefined && from !== to) this.#unlist(address, from);
    if (to === undefined || account === undefined) return;
    const list = this.#lists.get(to);
    if (list === undefined) this.#lists.set(to, new Map([[address, account]]));
    else list.set(address, account);
  }

  #unlist(address: Address, key: Address): void {
    const list = this.#lists.get(key);
    if (list?.delete(address) === true && list.size === 0) this.#lists.delete(key);
  }
}
