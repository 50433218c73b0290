import { createHash } from 'node:crypto';
import { ServiceError } from '../../errors/service-error.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import type { AccountView } from '../../ledger/state/accounts.ts';
import { concat } from '../../programs/instruction-data.ts';
import { type Account, RENT_EXEMPT_EPOCH, rentExemptMinimum } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import { ByteReader } from '../../solana/byte-reader.ts';
import { type Codec, struct, u64, u8 } from './codec.ts';

/** An account that a commit sets. */
export type Entry = readonly [Address, Account];

/**
 * The address of the books' header, and the owner of every item. It has no private key. Transactions cannot
 * name its accounts, and `Guards` hides them from every reader.
 */
export const ROLLUP_BOOKS = 'Ro11upBooks11111111111111111111111111111111' as Address;

/** Prefix of every item's address. It fixes 64 bits, so no key pair can be found for such an address. */
const PREFIX = 'Ro11upBooks';

/** Digest characters in an address (187 bits). Together with the prefix they encode 32 bytes. */
const DIGEST_CHARACTERS = ROLLUP_BOOKS.length - PREFIX.length;

/** Whether an address belongs to the books. */
export function isOfBooks(address: Address): boolean {
  return address.startsWith(PREFIX);
}

/** Derives the address of an item from its kind and its encoded key. */
export function itemAddress(kind: number, key: Uint8Array): Address {
  const digest = createHash('sha256').update(Uint8Array.of(kind)).update(key).digest();
  return `${PREFIX}${encodeBase58(digest).slice(-DIGEST_CHARACTERS)}` as Address;
}

/**
 * One kind of item in the books. Each item is a separate account, owned by {@link ROLLUP_BOOKS}, at an
 * address derived from its kind and key. Each item can be found, written and deleted independently. Layout:
 * version u8 = 1, kind u8, sequence u64, then the fields of the kind. Only this project uses the layouts.
 */
export interface ItemType<
  Value extends object,
  Key extends keyof Value,
  Sequence extends keyof Value = never,
> {
  /** The number of the kind, u8, never reused. */
  readonly kind: number;
  /** Encodes the members that identify an item within its kind. */
  readonly keyOf: (key: Pick<Value, Key>) => Uint8Array;
  /** All members except those derived from the sequence, in the order of their bytes. */
  readonly fields: Codec<Omit<Value, Sequence>>;
  /** Position of an item in lists of its kind (u64), and the members derived from it; default 0. */
  readonly sequence?: {
    of(value: Pick<Value, Sequence>): bigint;
    fields(sequence: bigint): Pick<Value, Sequence>;
  };
}

/** The version of every layout in the books. */
export const BOOKS_VERSION = 1;
const SEQUENCE_AT = 2;

interface DecodedItem {
  readonly kind: number;
  readonly address: Address;
  readonly sequence: bigint;
  readonly value: unknown;
}

/** Cache of decoded items. It never becomes stale, because account objects are not modified. */
const decoded = new WeakMap<Account, DecodedItem>();

/** Returns the entry that writes an item. */
export function itemEntry<Value extends object, Key extends keyof Value, Sequence extends keyof Value>(
  type: ItemType<Value, Key, Sequence>,
  value: Value,
): Entry {
  const head = Uint8Array.of(BOOKS_VERSION, type.kind);
  const data = concat(head, u64.write(type.sequence?.of(value) ?? 0n), type.fields.write(value));
  return [itemAddress(type.kind, type.keyOf(value)), booksAccount(data)];
}

/** Returns the entry that deletes the item with a key. */
export function deletedItem<Value extends object, Key extends keyof Value, Sequence extends keyof Value>(
  type: ItemType<Value, Key, Sequence>,
  key: Pick<Value, Key>,
): Entry {
  return [itemAddress(type.kind, type.keyOf(key)), GONE];
}

/**
 * Returns the item with a key, or null if there is none.
 *
 * @throws {ServiceError} LEDGER_FOLDER_UNREADABLE.
 */
export function readItem<Value extends object, Key extends keyof Value, Sequence extends keyof Value>(
  type: ItemType<Value, Key, Sequence>,
  accounts: Pick<AccountView, 'get'>,
  key: Pick<Value, Key>,
): Value | null {
  const account = accounts.get(itemAddress(type.kind, type.keyOf(key)));
  if (account?.owner !== ROLLUP_BOOKS) return null;
  return decodeItem(type, account).value as Value;
}

/** Returns the item in an account; null if the account holds no item of this kind. */
export function itemIn<Value extends object, Key extends keyof Value, Sequence extends keyof Value>(
  type: ItemType<Value, Key, Sequence>,
  account: Account,
): Value | null {
  if (account.owner !== ROLLUP_BOOKS || account.data[0] !== BOOKS_VERSION) return null;
  return kindOf(account) === type.kind ? (decodeItem(type, account).value as Value) : null;
}

/** Accounts that contain the books. */
export interface BooksAccounts extends Pick<AccountView, 'get' | 'ownedBy'> {
  /** The accounts that the rollup stores, if this view also shows other accounts. */
  readonly own?: Pick<AccountView, 'ownedBy'>;
}

/**
 * Lists the items of a kind, ordered by sequence. Reads only the rollup's own accounts, because anyone can
 * create base accounts with any owner, and the rollup shows those too. Skips accounts whose address does not
 * match their item.
 *
 * @throws {ServiceError} LEDGER_FOLDER_UNREADABLE if another version wrote them.
 */
export function listItems<Value extends object, Key extends keyof Value, Sequence extends keyof Value>(
  type: ItemType<Value, Key, Sequence>,
  accounts: BooksAccounts,
): Value[] {
  const found: DecodedItem[] = [];
  for (const [address, account] of (accounts.own ?? accounts).ownedBy(ROLLUP_BOOKS)) {
    if (!isOfBooks(address) || address === ROLLUP_BOOKS || kindOf(account) !== type.kind) continue;
    const item = decodeItem(type, account);
    if (item.address === address) found.push(item);
  }
  found.sort((a, b) => (a.sequence < b.sequence ? -1 : a.sequence > b.sequence ? 1 : 0));
  return found.map(({ value }) => value as Value);
}

/** Creates an account of the books. */
export function booksAccount(data: Uint8Array): Account {
  return {
    lamports: rentExemptMinimum(data.length),
    owner: ROLLUP_BOOKS,
    data,
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

function unreadableBooks(cause?: unknown): ServiceError {
  return new ServiceError(
    'LEDGER_FOLDER_UNREADABLE',
    'The data of the rollup was written by another version of this program. Use that version, or start with --reset.',
    undefined,
    { cause },
  );
}

function kindOf({ data }: Account): number {
  if (data[0] !== BOOKS_VERSION) throw unreadableBooks();
  return data[1] ?? 0;
}

function decodeItem<Value extends object, Key extends keyof Value, Sequence extends keyof Value>(
  type: ItemType<Value, Key, Sequence>,
  account: Account,
): DecodedItem {
  const earlier = decoded.get(account);
  if (earlier !== undefined) return earlier;
  if (kindOf(account) !== type.kind) throw unreadableBooks();
  try {
    const reader = new ByteReader(account.data.subarray(SEQUENCE_AT));
    const sequence = reader.u64();
    const value = { ...type.fields.read(reader), ...type.sequence?.fields(sequence) } as Value;
    if (reader.remaining > 0) throw new Error('bytes are left over');
    const item = { kind: type.kind, address: itemAddress(type.kind, type.keyOf(value)), sequence, value };
    decoded.set(account, item);
    return item;
  } catch (error) {
    throw unreadableBooks(error);
  }
}

interface Counter {
  readonly of: number;
  readonly next: bigint;
}

const COUNTER: ItemType<Counter, 'of', 'next'> = {
  kind: 1,
  keyOf: ({ of }) => u8.write(of),
  sequence: { of: ({ next }) => next, fields: (next) => ({ next }) },
  fields: struct({ of: u8 }),
};

/** Returns the sequence of the next item of a kind. Sequences are never reused, even after a deletion. */
export function nextSequence(
  { kind }: { readonly kind: number },
  accounts: Pick<AccountView, 'get'>,
): bigint {
  return readItem(COUNTER, accounts, { of: kind })?.next ?? 1n;
}

/** Returns the entry that sets the next sequence. The commit must also add the items before `next`. */
export function counterEntry({ kind }: { readonly kind: number }, next: bigint): Entry {
  return itemEntry(COUNTER, { of: kind, next });
}

/** Header layout: version u8 = 1, kind u8 = 0, genesis hash of base 32. */
const HEADER_KIND = 0;
const HASH_AT = 2;
const HEADER_BYTES = 34;

/** Returns the header entry. It names the books' base ledger by its genesis hash (base58). */
export function headerEntry(baseGenesisHash: string): Entry {
  const data = concat(Uint8Array.of(BOOKS_VERSION, HEADER_KIND), decodeBase58(baseGenesisHash));
  return [ROLLUP_BOOKS, booksAccount(data)];
}

/**
 * Returns the genesis hash (base58) of the base ledger that the books belong to.
 *
 * @throws {ServiceError} LEDGER_FOLDER_UNREADABLE if another version wrote them.
 * @throws {Error} if there are no books.
 */
export function baseGenesisHashOf(accounts: Pick<AccountView, 'get'>): string {
  const data = accounts.get(ROLLUP_BOOKS)?.data;
  if (data === undefined) throw new Error('the rollup has no books');
  if (data[0] !== BOOKS_VERSION || data.length !== HEADER_BYTES) throw unreadableBooks();
  return encodeBase58(data.subarray(HASH_AT));
}
