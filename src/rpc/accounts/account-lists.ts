import { LongText } from '../../json/long-text.ts';
import { writeJson } from '../../json/write-json.ts';
import { compareAddressBytes } from '../../ledger/state/compare-address-bytes.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { appendInSteps, LARGE, listInSteps, sortInSteps, type Steps, takeSnapshot } from '../scan/scan.ts';
import { type AccountView, showAccount } from './account-encoding.ts';

/** An account and its address. */
export type KeyedAccount = readonly [Address, Account];

/** Anything with an address. */
type Keyed = readonly [Address, unknown];

const DIGIT_ONE = 0x31;

/** Compares address bytes. Base58 text has the same order, except for leading zero bytes (the digit 1). */
export function compareKeys([a]: Keyed, [b]: Keyed): number {
  if (a.charCodeAt(0) === DIGIT_ONE || b.charCodeAt(0) === DIGIT_ONE) return compareAddressBytes(a, b);
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Number of characters after which the scan yields to other requests. */
const TURN_LENGTH = 128 * 1024;

/** Accounts examined per step. */
const ACCOUNTS_AT_ONCE = 32;

interface Listing {
  /** The owner of the accounts. */
  readonly program: Address;
  readonly view: AccountView;
  /** Whether to sort by address; default true. */
  readonly isSorted?: boolean;
}

/**
 * Writes the accounts whose data passes the test, with their addresses (Agave `RpcKeyedAccount`), by default
 * sorted by address bytes. With `jsonParsed`, omits token accounts that cannot be parsed, like Agave's
 * `get_parsed_token_accounts`.
 *
 * @throws {RpcError} -32600 if data is too long for base58.
 */
export function* showFoundAccounts(
  candidates: Iterable<KeyedAccount>,
  passes: (data: Uint8Array) => boolean,
  { program, view, isSorted = true }: Listing,
): Steps<LongText> {
  const onlyParsed = view.encoding === 'jsonParsed' && isTokenProgram(program);
  const shown: (readonly [Address, LongText | Buffer])[] = [];
  let examined = 0;
  let uncounted = 0;
  for (const [pubkey, account] of yield* takeSnapshot(candidates)) {
    if (++examined % ACCOUNTS_AT_ONCE === 0) yield 0;
    if (!passes(account.data)) continue;
    const entry = { account: showAccount(pubkey, account, view), pubkey };
    if (onlyParsed && Array.isArray(entry.account['data'])) continue;
    if (isLongAccount(account)) {
      yield LARGE;
      const text = new LongText();
      yield* appendInSteps(text, entry);
      shown.push([pubkey, text]);
      continue;
    }
    // Stored as bytes, because the string consists of dozens of pieces, which take several times the memory.
    const text = Buffer.from(writeJson(entry));
    shown.push([pubkey, text]);
    uncounted += text.length;
    if (uncounted <= TURN_LENGTH) continue;
    yield LARGE;
    yield uncounted;
    uncounted = 0;
  }
  const list = new LongText();
  let separator = '[';
  for (const [, text] of isSorted ? yield* sortInSteps(shown, compareKeys) : shown) {
    list.append(separator);
    if (text instanceof LongText) list.appendLong(text);
    else list.append(text.toString());
    separator = ',';
    yield 0;
  }
  return list.append(separator === '[' ? '[]' : ']');
}

/** Size above which data is written in several steps, in bytes. */
const LONG_BYTES = 192 * 1024;

/** Total size, in bytes, up to which accounts are written at once, which is no slower than other calls. */
const SMALL_BYTES = 1024 * 1024;

/** Whether the data of an account must be written in several steps. */
export function isLongAccount({ data }: Account): boolean {
  return data.length > LONG_BYTES;
}

/** Yields {@link LARGE} if the accounts have too much data to write at once. */
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

type FoundAccount = readonly [Address, Account | null];

/** Lists accounts in the format of `showAccount`, with null for absent accounts. */
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

/** Maximum number of accounts returned (Agave `NUM_LARGEST_ACCOUNTS`). */
const LARGEST_ACCOUNTS = 20;

/** An account's address and amount. */
export type Holding = readonly [Address, bigint];

/** Finds the `count` accounts with the largest amounts, by amount and address bytes, both descending. */
export function* largestAccounts(
  accounts: Iterable<KeyedAccount>,
  amountOf: (account: Account) => bigint,
  count: number = LARGEST_ACCOUNTS,
): Steps<readonly Holding[]> {
  const largest: Holding[] = [];
  let examined = 0;
  for (const [address, account] of accounts) {
    if (examined++ % ACCOUNTS_AT_ONCE === 0) yield 0;
    const holding: Holding = [address, amountOf(account)];
    let rank = largest.length;
    while (rank > 0 && isLarger(holding, largest[rank - 1] as Holding)) rank--;
    if (rank >= count) continue;
    largest.splice(rank, 0, holding);
    if (largest.length > count) largest.pop();
  }
  return largest;
}

const isLarger = (a: Holding, b: Holding): boolean => (a[1] === b[1] ? compareKeys(a, b) > 0 : a[1] > b[1]);
