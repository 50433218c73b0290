import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { isOfBooks } from '../books/books-address.ts';
import { EPHEMERAL } from '../books/ephemeral-account.ts';
import { itemIn } from '../books/item.ts';
import type { SetObserver } from '../overlay/overlay-accounts.ts';
import { AccessGuard } from './guard.ts';

/** Closed accounts whose guards are kept: what is told of them is told a little later. */
const CLOSED_MAX = 1_000;

/**
 * Who may read the accounts that exist on the rollup only: the wallet they are about. What the rollup's books
 * say of them counts from the moment at which the account shows.
 */
export class EphemeralGuards implements SetObserver {
  readonly #guards = new Map<Address, AccessGuard>();
  /** The accounts by the address of what the books say of them. */
  readonly #byItem = new Map<Address, Address>();
  /** In the order in which they were closed. */
  readonly #closed = new Map<Address, AccessGuard>();

  get(address: Address): AccessGuard | undefined {
    return this.#guards.get(address) ?? this.#closed.get(address);
  }

  /** Those that are there. */
  entries(): Iterable<readonly [Address, AccessGuard]> {
    return this.#guards;
  }

  noteAccount(item: Address, account: Account): void {
    if (!isOfBooks(item)) return;
    if (account.lamports === 0n) {
      this.#close(item);
      return;
    }
    const ephemeral = itemIn(EPHEMERAL, account);
    if (ephemeral === null) return;
    this.#byItem.set(item, ephemeral.address);
    this.#guards.set(ephemeral.address, new AccessGuard([], ephemeral.reader));
  }

  #close(item: Address): void {
    const address = this.#byItem.get(item);
    const guard = address && this.#guards.get(address);
    if (address === undefined || guard === undefined) return;
    this.#byItem.delete(item);
    this.#guards.delete(address);
    this.#closed.set(address, guard);
    if (this.#closed.size <= CLOSED_MAX) return;
    const [oldest] = this.#closed.keys();
    if (oldest !== undefined) this.#closed.delete(oldest);
  }
}
