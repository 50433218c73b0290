import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

const NONE: ReadonlyMap<Address, Account> = new Map();

/**
 * Accounts by a key of theirs: those of a program, of a mint, of a wallet. They are kept with their
 * addresses, as looking each up would take most of the time of reading many.
 */
export class AddressIndex {
  /** Most wallets have one token account, for which a map would be most of the cost. */
  readonly #lists = new Map<Address, Map<Address, Account> | readonly [Address, Account]>();

  /** To be used up, or copied, before anything changes. */
  get(key: Address): ReadonlyMap<Address, Account> {
    const list = this.#lists.get(key);
    return list === undefined ? NONE : asMap(list);
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
    if (list instanceof Map) list.set(address, account);
    else if (list === undefined || list[0] === address) this.#lists.set(to, [address, account]);
    else this.#lists.set(to, new Map([list, [address, account]]));
  }

  #unlist(address: Address, key: Address): void {
    const list = this.#lists.get(key);
    if (list instanceof Map) list.delete(address);
    if (list instanceof Map ? list.size === 0 : list?.[0] === address) this.#lists.delete(key);
  }
}

const asMap = (list: ReadonlyMap<Address, Account> | readonly [Address, Account]) =>
  list instanceof Map
    ? (list as ReadonlyMap<Address, Account>)
    : new Map([list as readonly [Address, Account]]);
