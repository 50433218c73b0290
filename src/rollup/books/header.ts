import type { AccountView } from '../../ledger/state/account-state.ts';
import { concat } from '../../programs/instruction-data.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import { ROLLUP_BOOKS } from './books-address.ts';
import { BOOKS_VERSION, booksAccount, type Entry, unreadableBooks } from './item.ts';

/** Layout: version u8 = 3, kind u8 = 0, genesis hash of base 32. */
const KIND = 0;
const HASH_AT = 2;
const HEADER_BYTES = 34;

/** The account without which a rollup has no books: which base ledger they are for (base58 genesis hash). */
export function headerEntry(baseGenesisHash: string): Entry {
  const data = concat(Uint8Array.of(BOOKS_VERSION, KIND), decodeBase58(baseGenesisHash));
  return [ROLLUP_BOOKS, booksAccount(data)];
}

/**
 * The genesis hash of the base ledger that the books are for, base58.
 *
 * @throws {ServiceError} LEDGER_FOLDER_UNREADABLE when another version wrote them.
 * @throws {Error} when there are none.
 */
export function baseGenesisHashOf(accounts: Pick<AccountView, 'get'>): string {
  const data = accounts.get(ROLLUP_BOOKS)?.data;
  if (data === undefined) throw new Error('the rollup has no books');
  if (data[0] !== BOOKS_VERSION || data.length !== HEADER_BYTES) throw unreadableBooks();
  return encodeBase58(data.subarray(HASH_AT));
}
