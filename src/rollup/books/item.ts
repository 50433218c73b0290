import { ServiceError } from '../../errors/service-error.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import { concat, u64 } from '../../programs/instruction-data.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/byte-reader.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';
import { isOfBooks, itemAddress, ROLLUP_BOOKS } from './books-address.ts';

/** An account to be set in a commit. */
export type Entry = readonly [Address, Account];

/**
 * One kind of item in the books. Each item is an account of its own, owned by `ROLLUP_BOOKS` at an address
 * derived from its kind and key, so that one is found, written and removed without the others. Layout:
 * version u8 = 3, kind u8, sequence u64, then the fields of the kind. The layouts are this project's own.
 */
export interface ItemType<Value> {
  /** u8; never used again for another. */
  readonly kind: number;
  /** What tells an item from the others of its kind. */
  readonly keyOf: (value: Value) => Uint8Array;
  /** Its place among those of its kind: in the order they were taken in, u64. */
  readonly sequenceOf: (value: Value) => bigint;
  readonly encode: (value: Value) => Uint8Array;
  readonly decode: (reader: ByteReader, sequence: bigint) => Value;
}

/** The version of every layout in the books. 2 was one account with all requests in a row. */
export const BOOKS_VERSION = 3;
const SEQUENCE_AT = 2;

interface KnownItem {
  readonly kind: number;
  readonly address: Address;
  readonly sequence: bigint;
  readonly value: unknown;
}

/** Account objects are replaced, never changed, so what was decoded from one stays valid for it. */
const known = new WeakMap<Account, KnownItem>();

/** The account that keeps an item. */
export function itemEntry<Value>(type: ItemType<Value>, value: Value): Entry {
  const head = Uint8Array.of(BOOKS_VERSION, type.kind);
  const data = concat(head, u64(type.sequenceOf(value)), type.encode(value));
  return [itemAddress(type.kind, type.keyOf(value)), booksAccount(data)];
}

/** Removes the item with a key. */
export function goneItem<Value>(type: ItemType<Value>, key: Uint8Array): Entry {
  return [itemAddress(type.kind, key), GONE];
}

/** The item with a key; null where there is none. @throws {ServiceError} LEDGER_FOLDER_UNREADABLE. */
export function readItem<Value>(
  type: ItemType<Value>,
  accounts: Pick<AccountView, 'get'>,
  key: Uint8Array,
): Value | null {
  const address = itemAddress(type.kind, key);
  const account = accounts.get(address);
  if (account?.owner !== ROLLUP_BOOKS) return null;
  return decodeItem(type, account).value as Value;
}

/** The item in an account of the books when it is of a kind; null when it is of another. */
export function itemIn<Value>(type: ItemType<Value>, account: Account): Value | null {
  if (account.owner !== ROLLUP_BOOKS || account.data[0] !== BOOKS_VERSION) return null;
  return kindOf(account) === type.kind ? (decodeItem(type, account).value as Value) : null;
}

/** Accounts with books among them. */
export interface BooksAccounts extends Pick<AccountView, 'get' | 'ownedBy'> {
  /** Those that are kept here, where others are shown as well. */
  readonly own?: Pick<AccountView, 'ownedBy'>;
}

/**
 * All items of a kind, in their order. On base anybody can give accounts of theirs to any owner, however many
 * and large, and they show on the rollup: they are not gone through here. What is not at the address of the
 * item it seems to be is left out.
 *
 * @throws {ServiceError} LEDGER_FOLDER_UNREADABLE when another version wrote them.
 */
export function listItems<Value>(type: ItemType<Value>, accounts: BooksAccounts): Value[] {
  const found: KnownItem[] = [];
  for (const [address, account] of (accounts.own ?? accounts).ownedBy(ROLLUP_BOOKS)) {
    if (!isOfBooks(address) || address === ROLLUP_BOOKS || kindOf(account) !== type.kind) continue;
    const item = decodeItem(type, account);
    if (item.address === address) found.push(item);
  }
  found.sort((a, b) => (a.sequence < b.sequence ? -1 : a.sequence > b.sequence ? 1 : 0));
  return found.map(({ value }) => value as Value);
}

/** An account of the books. */
export function booksAccount(data: Uint8Array): Account {
  return {
    lamports: rentExemptMinimum(data.length),
    owner: ROLLUP_BOOKS,
    data,
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

/** What is said of books that cannot be read. */
export function unreadableBooks(cause?: unknown): ServiceError {
  return new ServiceError(
    'LEDGER_FOLDER_UNREADABLE',
    'The rollup was kept by another version of this program: use that version, or start with --reset',
    undefined,
    { cause },
  );
}

function kindOf({ data }: Account): number {
  if (data[0] !== BOOKS_VERSION) throw unreadableBooks();
  return data[1] ?? 0;
}

function decodeItem<Value>(type: ItemType<Value>, account: Account): KnownItem {
  const earlier = known.get(account);
  if (earlier !== undefined) return earlier;
  if (kindOf(account) !== type.kind) throw unreadableBooks();
  try {
    const reader = new ByteReader(account.data.subarray(SEQUENCE_AT));
    const sequence = reader.u64();
    const value = type.decode(reader, sequence);
    if (reader.remaining > 0) throw new Error('bytes are left over');
    const item = { kind: type.kind, address: itemAddress(type.kind, type.keyOf(value)), sequence, value };
    known.set(account, item);
    return item;
  } catch (error) {
    throw unreadableBooks(error);
  }
}
