import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import { MAGIC_CONTEXT } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { ByteReader } from '../../solana/byte-reader.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { ROLLUP_BOOKS } from './books-address.ts';
import { counterEntry } from './counter.ts';
import { requestEntry } from './entries.ts';
import { readOptionalSignature, readSignature } from './fields.ts';
import { headerEntry } from './header.ts';
import { BOOKS_VERSION, unreadableBooks, type Entry } from './item.ts';
import { REQUEST } from './settlement-request.ts';

/**
 * The books as one account had them: version u8 = 2, genesis hash of base 32, then for each request: eATA 32,
 * signature of the undelegation 64, signature on base 64 (zeros for none).
 */
const OLD_VERSION = 2;
const OLD_HEADER_BYTES = 33;
const OLD_REQUEST_BYTES = 160;

/**
 * Brings the books of a rollup that kept them in one account, at first at the address of the Magic context,
 * to an account for each item, in one commit. Does nothing when they are as they should be.
 *
 * @param own the accounts that are kept.
 * @throws {ServiceError} LEDGER_FOLDER_UNREADABLE when they are of neither version.
 */
export async function moveBooks(
  ledger: Pick<EmbeddedLedger, 'setOwnAccounts'>,
  own: Pick<AccountView, 'get'>,
): Promise<void> {
  const atContext = own.get(MAGIC_CONTEXT);
  const books = atContext ?? own.get(ROLLUP_BOOKS);
  if (books === undefined || books.data[0] === BOOKS_VERSION) return;
  const left: Entry[] = atContext === undefined ? [] : [[MAGIC_CONTEXT, GONE]];
  await ledger.setOwnAccounts([...left, ...itemsOf(books)]);
}

function itemsOf({ data }: Account): Entry[] {
  if (data[0] !== OLD_VERSION || (data.length - OLD_HEADER_BYTES) % OLD_REQUEST_BYTES !== 0) {
    throw unreadableBooks();
  }
  const reader = new ByteReader(data.subarray(1));
  const header = headerEntry(encodeBase58(reader.take(32)));
  const requests = Array.from({ length: reader.remaining / OLD_REQUEST_BYTES }, (_, index) => ({
    sequence: BigInt(index) + 1n,
    eata: reader.address(),
    undelegation: readSignature(reader),
    signature: readOptionalSignature(reader),
  }));
  return [header, ...requests.map(requestEntry), counterEntry(REQUEST, BigInt(requests.length) + 1n)];
}
