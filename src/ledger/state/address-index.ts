import type { Address } from '../../solana/address.ts';

const NONE: ReadonlySet<Address> = new Set();

/** Addresses by a key of theirs: the accounts of a program, of a mint, of a wallet. */
export class AddressIndex {
  readonly #lists = new Map<Address, Set<Address>>();

  get(key: Address): ReadonlySet<Address> {
    return this.#lists.get(key) ?? NONE;
  }

  /** Moves `address` from the list of one key to that of another; either may be none. */
  move(address: Address, from: Address | undefined, to: Address | undefined): void {
    if (from === to) return;
    if (from !== undefined) this.#unlist(address, from);
    if (to === undefined) return;
    const list = this.#lists.get(to);
    if (list === undefined) this.#lists.set(to, new Set([address]));
    else list.add(address);
  }

  #unlist(address: Address, key: Address): void {
    const list = this.#lists.get(key);
    if (list?.delete(address) === true && list.size === 0) this.#lists.delete(key);
  }
}
