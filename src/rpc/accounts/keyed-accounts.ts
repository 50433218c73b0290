import type { JsonOutput } from '../../json/json-value.ts';
import { LongText } from '../../json/long-text.ts';
import { writeJson } from '../../json/write-json.ts';
import { compareAddressBytes } from '../../ledger/state/compare-address-bytes.ts';
import type { DataTest } from '../../ledger/state/steady-entries.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { LARGE, type Steps } from '../scan/scan.ts';
import { findInSnapshot } from '../scan/snapshot.ts';
import { appendInSteps, listInSteps, sortInSteps } from '../scan/steps.ts';
import { type AccountView, showAccount } from './account-encoding.ts';
import { isLongAccount, sayIfLarge } from './large-accounts.ts';

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

/**
 * Found accounts that are held until all were found, bytes, roughly; of more each is shown as it is found.
 */
const HELD_BYTES_MAX = 4 * 1024 * 1024;

/** What an account takes besides its data, bytes, roughly. */
const ACCOUNT_BYTES = 512;

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
 * Accounts that were found. Whatever they come to, no more is held of them than {@link HELD_BYTES_MAX} and
 * what is shown of them, which counts towards the answer as it grows.
 */
class FoundAccounts {
  readonly #view: AccountView;
  readonly #isSorted: boolean;
  readonly #onlyParsed: boolean;
  readonly #shown: ShownAccount[] = [];
  #held: KeyedAccount[] = [];
  #heldBytes = 0;

  constructor({ program, view, isSorted = true }: Listing) {
    this.#view = view;
    this.#isSorted = isSorted;
    this.#onlyParsed = view.encoding === 'jsonParsed' && isTokenProgram(program);
  }

  /** Takes in an account. What is returned has to be done before the next. */
  add(entry: KeyedAccount): Steps<void> | undefined {
    this.#held.push(entry);
    this.#heldBytes += ACCOUNT_BYTES + entry[1].data.length;
    return this.#heldBytes > HELD_BYTES_MAX ? this.#showHeld() : undefined;
  }

  *list(): Steps<LongText> {
    if (this.#shown.length === 0) return yield* this.#listHeld();
    yield* this.#showHeld();
    const list = new LongText();
    let separator = '[';
    for (const [, text] of yield* this.#inOrder(this.#shown)) {
      list.append(separator);
      if (text instanceof LongText) list.appendLong(text);
      else list.append(text.toString());
      separator = ',';
      yield 0;
    }
    return list.append(separator === '[' ? '[]' : ']');
  }

  *#listHeld(): Steps<LongText> {
    yield* sayIfLarge(accountsOf(this.#held), this.#view);
    const entries = yield* this.#inOrder(this.#held);
    return yield* listInSteps(
      entries,
      (entry) => this.#show(entry),
      ([, account]) => isLongAccount(account),
    );
  }

  *#showHeld(): Steps<void> {
    if (this.#shown.length === 0) yield LARGE;
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const entry of held) {
      const shown = this.#show(entry);
      if (shown === undefined) continue;
      if (isLongAccount(entry[1])) {
        const text = new LongText();
        yield* appendInSteps(text, shown);
        this.#shown.push([entry[0], text]);
      } else {
        const text = writeJson(shown);
        // As bytes: the text is made of dozens of pieces, which take several times as much.
        this.#shown.push([entry[0], Buffer.from(text)]);
        yield text.length;
      }
    }
  }

  /** Undefined for one that is left out. */
  #show([pubkey, account]: KeyedAccount): JsonOutput | undefined {
    const shown = showAccount(pubkey, account, this.#view);
    return this.#onlyParsed && Array.isArray(shown['data']) ? undefined : { account: shown, pubkey };
  }

  *#inOrder<Entry extends Keyed>(entries: readonly Entry[]): Steps<readonly Entry[]> {
    return this.#isSorted ? yield* sortInSteps(entries, compareKeys) : entries;
  }
}

function* accountsOf(entries: Iterable<KeyedAccount>): Iterable<Account> {
  for (const [, account] of entries) yield account;
}
