import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountRange, AccountSource } from './account-source.ts';
import { readTokenKeys } from './token-keys.ts';
import { TwoGenerations } from './two-generations.ts';

/** Ranges of more accounts are gone through in the source. */
const ADDRESSES_MAX = 128;

/** What is kept of lists, in each of two generations. */
const LIMITS = { count: 16_384, bytes: 1024 * 1024 } as const;

/** What a list takes, and each address in it, bytes, roughly. */
const LIST_BYTES = 128;
const ADDRESS_BYTES = 96;

/**
 * Where the accounts of short ranges of a source are. A list is kept until an account comes that belongs in
 * it. One that left stays in it, so whoever reads the accounts looks whether they are there and of the range.
 */
export class AddressLists {
  readonly #source: Pick<AccountSource, 'addressesOf'>;
  /** Null for a range that is not short. */
  readonly #lists = new TwoGenerations<string, readonly Address[] | null>(LIMITS, bytesOf);

  constructor(source: Pick<AccountSource, 'addressesOf'>) {
    this.#source = source;
  }

  /** The addresses of a range, among them all of the source's; null if it is not short. */
  of(range: AccountRange): readonly Address[] | null {
    if ('all' in range) return null;
    const key = keyOf(range);
    let list = this.#lists.get(key);
    if (list === undefined) {
      list = this.#source.addressesOf(range, ADDRESSES_MAX);
      this.#lists.put(key, list);
    }
    // What was found is among the young from then on, as what was put there.
    this.#lists.makeRoom();
    return list;
  }

  /** Has the source asked again. */
  forget(range: AccountRange): void {
    if (!('all' in range)) this.#lists.delete(keyOf(range));
  }

  /** From now on a range counts as one that is not short, until an account of it comes. */
  giveUp(range: AccountRange): void {
    if (!('all' in range)) this.#lists.put(keyOf(range), null);
  }

  /** An account has come into the source, or has changed there. */
  drop(account: Account): void {
    if (this.#lists.size === 0) return;
    this.#lists.delete(keyOf({ program: account.owner }));
    const keys = readTokenKeys(account);
    if (keys === null) return;
    this.#lists.delete(tokenKey('mint', keys.mint));
    this.#lists.delete(tokenKey('owner', keys.owner));
    if (keys.delegate !== null) this.#lists.delete(tokenKey('delegate', keys.delegate));
  }
}

/** Token accounts of a holder are in one list, whatever their program and mint. */
function keyOf(range: Exclude<AccountRange, { readonly all: true }>): string {
  return 'holder' in range ? tokenKey(range.holder, range.address) : range.program;
}

const tokenKey = (holder: string, address: Address): string => `${holder} ${address}`;

const bytesOf = (list: readonly Address[] | null): number => LIST_BYTES + ADDRESS_BYTES * (list?.length ?? 0);
