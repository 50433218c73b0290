import { LongText } from '../../json/long-text.ts';
import { type JsonOutput, writeJson } from '../../json/write-json.ts';
import { compareAddressBytes } from '../../ledger/state/compare-address-bytes.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { appendInSteps, LARGE, listInSteps, sortInSteps, type Steps } from '../scan/scan.ts';
import { takeSnapshot } from '../scan/snapshot.ts';
import { type AccountView, showAccount } from './account-encoding.ts';

/** An account and its address. */
export type KeyedAccount = readonly [Address, Account];

/** Anything with an address. */
type Keyed = readonly [Address, unknown];

const DIGIT_ONE = 0x31;

/**
 * Compares by address bytes. Base58 text of equal length sorts like its bytes, except for leading zero bytes
 * (the digit 1), so only those addresses need the slow comparison.
 */
export function compareKeys([a]: Keyed, [b]: Keyed): number {
  if (a.charCodeAt(0) === DIGIT_ONE || b.charCodeAt(0) === DIGIT_ONE) return compareAddressBytes(a, b);
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Characters after which other requests may run and the found accounts count towards the answer. */
const TURN_LENGTH = 128 * 1024;

/** Accounts examined per step. */
const ACCOUNTS_AT_ONCE = 32;

/** How found accounts are listed. */
interface Listing {
  /** The program whose accounts they are. */
  readonly program: Address;
  readonly view: AccountView;
  /** By address; default true. */
  readonly isSorted?: boolean;
}

/**
 * Writes the accounts whose data passes, with their addresses (Agave `RpcKeyedAccount`), sorted by address
 * bytes unless requested otherwise. In `jsonParsed`, token accounts that cannot be parsed are omitted, as in
 * Agave's `get_parsed_token_accounts`.
 *
 * @throws {RpcError} -32600 for more data than base58 may show.
 */
export function* showFoundAccounts(
  candidates: Iterable<KeyedAccount>,
  passes: (data: Uint8Array) => boolean,
  listing: Listing,
): Steps<LongText> {
  const found = new FoundAccounts(listing);
  let examined = 0;
  for (const entry of yield* takeSnapshot(candidates)) {
    const steps = passes(entry[1].data) ? found.add(entry) : undefined;
    if (steps !== undefined) yield* steps;
    if (++examined % ACCOUNTS_AT_ONCE === 0) yield 0;
  }
  return yield* found.list();
}

/** A text and the address of its account. */
type ShownAccount = readonly [Address, LongText | Buffer];

/**
 * Found accounts, each written as it is found: the accounts themselves may take far more memory than their
 * text.
 */
class FoundAccounts {
  readonly #view: AccountView;
  readonly #isSorted: boolean;
  readonly #onlyParsed: boolean;
  readonly #shown: ShownAccount[] = [];
  #isLarge = false;
  /** Characters written and not counted yet. */
  #uncounted = 0;

  constructor({ program, view, isSorted = true }: Listing) {
    this.#view = view;
    this.#isSorted = isSorted;
    this.#onlyParsed = view.encoding === 'jsonParsed' && isTokenProgram(program);
  }

  /** Adds an account. The returned steps must be completed before the next one. */
  add([pubkey, account]: KeyedAccount): Steps<void> | undefined {
    const shown = showAccount(pubkey, account, this.#view);
    if (this.#onlyParsed && Array.isArray(shown['data'])) return undefined;
    const entry = { account: shown, pubkey };
    if (isLongAccount(account)) return this.#addLong(pubkey, entry);
    // As bytes: the string consists of dozens of pieces, which take several times the memory.
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

/** Data above this size is written in several steps, bytes. */
const LONG_BYTES = 192 * 1024;

/** Accounts with less data in total are written at once, bytes. That takes no longer than any other call. */
const SMALL_BYTES = 1024 * 1024;

/** Whether the data of an account has to be written in several steps. */
export function isLongAccount({ data }: Account): boolean {
  return data.length > LONG_BYTES;
}

/** Yields {@link LARGE} if the data of these accounts makes the answer slow. */
export function* yieldIfLarge(accounts: Iterable<Account | null>, { slice }: AccountView): Steps<void> {
  let bytes = 0;
  for (const account of accounts) {
    const length = account?.data.length ?? 0;
    bytes += slice === undefined ? length : Math.min(length, slice.length);
    if (bytes <= SMALL_BYTES) continue;
    yield LARGE;
    return;
  }
}

/** Accounts with less data in total are read at once, bytes. That takes about a millisecond. */
const READ_BYTES_MAX = 1024 * 1024;

/** An address and its account, if there is one. */
type FoundAccount = readonly [Address, Account | null];

/**
 * Reads the accounts at these addresses. Yields {@link LARGE} before it has read much, because accounts read
 * from disk are copies, which take time and memory.
 */
export function* readAccounts(
  addresses: readonly Address[],
  read: (address: Address) => Account | null,
): Steps<readonly FoundAccount[]> {
  const found: FoundAccount[] = [];
  let bytes = 0;
  let isLarge = false;
  for (const address of addresses) {
    const account = read(address);
    found.push([address, account]);
    bytes += account?.data.length ?? 0;
    if (isLarge || bytes <= READ_BYTES_MAX) continue;
    isLarge = true;
    yield LARGE;
  }
  return found;
}

/** Lists the accounts as `showAccount` shows them; null for absent ones. */
export function* showAccounts(found: readonly FoundAccount[], view: AccountView): Steps<LongText> {
  yield* yieldIfLarge(
    found.map(([, account]) => account),
    view,
  );
  return yield* listInSteps(
    found,
    ([address, account]) => account && showAccount(address, account, view),
    ([, account]) => account !== null && isLongAccount(account),
  );
}
