import { compareAddressBytes } from '../../ledger/state/compare-address-bytes.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import type { LongText } from '../../json/long-text.ts';
import { listInSteps } from '../scan/list-in-steps.ts';
import type { Steps } from '../scan/scan.ts';
import { sortInSteps } from '../scan/sort-in-steps.ts';
import { showAccount, type AccountView } from './account-encoding.ts';
import { isLongAccount, sayIfLarge } from './large-accounts.ts';

/** An account and its address. */
export type KeyedAccount = readonly [Address, Account];

const DIGIT_ONE = 0x31;

/**
 * Orders by address bytes. Base58 text of equal length sorts like its bytes, except for leading zero bytes
 * (the digit 1), so only those addresses take the slow comparison.
 */
export function compareKeys([a]: KeyedAccount, [b]: KeyedAccount): number {
  if (a.charCodeAt(0) === DIGIT_ONE || b.charCodeAt(0) === DIGIT_ONE) return compareAddressBytes(a, b);
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Shows accounts with their addresses (Agave `RpcKeyedAccount`), ordered by address bytes unless another
 * order is requested. In `jsonParsed`, token accounts that cannot be parsed are left out, as in Agave's
 * `get_parsed_token_accounts`.
 *
 * @throws {RpcError} -32600 for more data than base58 may show.
 */
export function* showKeyedAccounts(
  found: Iterable<KeyedAccount>,
  program: Address,
  view: AccountView,
  isSorted = true,
): Steps<LongText> {
  yield* sayIfLarge(accountsOf(found), view);
  const onlyParsed = view.encoding === 'jsonParsed' && isTokenProgram(program);
  const show = ([pubkey, account]: KeyedAccount): JsonOutput | undefined => {
    const shown = showAccount(pubkey, account, view);
    return onlyParsed && Array.isArray(shown['data']) ? undefined : { account: shown, pubkey };
  };
  const entries = isSorted ? yield* sortInSteps(found, compareKeys) : found;
  return yield* listInSteps(entries, show, ([, account]) => isLongAccount(account));
}

function* accountsOf(entries: Iterable<KeyedAccount>): Iterable<Account> {
  for (const [, account] of entries) yield account;
}
