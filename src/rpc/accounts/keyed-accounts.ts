import type { JsonOutput } from '../../json/json-value.ts';
import { LongText } from '../../json/long-text.ts';
import { writeJson } from '../../json/write-json.ts';
import { compareAddressBytes } from '../../ledger/state/compare-address-bytes.ts';
import type { DataTest } from '../../ledger/state/steady-entries.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { LARGE, type Steps } from '../scan/scan.ts';
import { findInSnapshot } from '../scan/snapshot.ts';
import { appendInSteps, sortInSteps } from '../scan/steps.ts';
import { type AccountView, showAccount } from './account-encoding.ts';
import { isLongAccount } from './large-accounts.ts';

/** An account and its address. */
export type KeyedAccount = readonly [Address, Account];

/** Anything that is of an address. */
type Keyed = readonly [Address, unknown];

const DIGIT_ONE = 0x31;

/**
 * Orders by address bytes. Base58 text of equal length sorts like its bytes, except for leading zero bytes
 * (the digit 1), so only those addresses take the slow comparison.
 */
export function compareKeys([a]: Keyed, [b]: Keyed): number {
  if (a.charCodeAt(0) === DIGIT_ONE || b.charCodeAt(0) === DIGIT_ONE) return compareAddressBytes(a, b);
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Characters after which others have their turn, and those found so far count towards the answer. */
const TURN_LENGTH = 128 * 1024;

/** How found accounts are listed. */
interface Listing {
  /** The program whose accounts they are. */
  readonly program: Address;
  readonly view: AccountView;
  /** By address; default true. */
  readonly isSorted?: boolean;
}

/**
 * Shows the accounts whose data passes with their addresses (Agave `RpcKeyedAccount`), ordered by address
 * bytes unless another order is requested. In `jsonParsed`, token accounts that cannot be parsed are left
 * out, as in Agave's `get_parsed_token_accounts`.
 *
 * @throws {RpcError} -32600 for more data than base58 may show.
 */
export function* showFoundAccounts(
  candidates: Iterable<KeyedAccount>,
  test: DataTest,
  listing: Listing,
): Steps<LongText> {
  const found = new FoundAccounts(listing);
  yield* findInSnapshot(candidates, test, (entry) => found.add(entry));
  return yield* found.list();
}

/** A text and the address of its account. */
type ShownAccount = readonly [Address, LongText | Buffer];

/**
 * Accounts that were found, each shown as it is found: the accounts themselves may take far more memory than
 * what is shown of them.
 */
class FoundAccounts {
  readonly #view: AccountView;
  readonly #isSorted: boolean;
  readonly #onlyParsed: boolean;
  readonly #shown: ShownAccount[] = [];
  #isLarge = false;
  /** Characters of what is shown and was not counted yet. */
  #uncounted = 0;

  constructor({ program, view, isSorted = true }: Listing) {
    this.#view = view;
    this.#isSorted = isSorted;
    this.#onlyParsed = view.encoding === 'jsonParsed' && isTokenProgram(program);
  }

  /** Takes in an account. What is returned has to be done before the next. */
  add([pubkey, account]: KeyedAccount): Steps<void> | undefined {
    const shown = showAccount(pubkey, account, this.#view);
    if (this.#onlyParsed && Array.isArray(shown['data'])) return undefined;
    const entry = { account: shown, pubkey };
    if (isLongAccount(account)) return this.#addLong(pubkey, entry);
    // As bytes: the text is made of dozens of pieces, which take several times as much.
    const text = Buffer.from(writeJson(entry));
    this.#shown.push([pubkey, text]);
    this.#uncounted += text.length;
    return this.#uncounted > TURN_LENGTH ? this.#count() : undefined;
  }

  *list(): Steps<LongText> {
    const list = new LongText();
    let separator = '[';
    const inOrder = this.#isSorted ? yield* sortInSteps(this.#shown, compareKeys) : this.#shown;
    for (const [, text] of inOrder) {
      list.append(separator);
      if (text instanceof LongText) list.appendLong(text);
      else list.append(text.toString());
      separator = ',';
      yield 0;
    }
    return list.append(separator === '[' ? '[]' : ']');
  }

  *#addLong(pubkey: Address, entry: JsonOutput): Steps<void> {
    yield* this.#count();
    const text = new LongText();
    yield* appendInSteps(text, entry);
    this.#shown.push([pubkey, text]);
  }

  *#count(): Steps<void> {
    if (!this.#isLarge) yield LARGE;
    this.#isLarge = true;
    const length = this.#uncounted;
    this.#uncounted = 0;
    yield length;
  }
}
