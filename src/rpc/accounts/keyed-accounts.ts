import { compareAddresses } from '../../ledger/state/compare-addresses.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { showAccount, type AccountView } from './account-encoding.ts';

/** An account and where it is. */
export type KeyedAccount = readonly [Address, Account];

const DIGIT_ONE = 0x31;

/** The order of addresses by their bytes. Nearly all can be told apart without the care that leading ones take. */
export function compareKeys([a]: KeyedAccount, [b]: KeyedAccount): number {
  if (a.charCodeAt(0) === DIGIT_ONE || b.charCodeAt(0) === DIGIT_ONE) return compareAddresses(a, b);
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Accounts with their addresses (Agave `RpcKeyedAccount`). Of the token programs' accounts, those that cannot be parsed
 * are left out when parsed ones are wanted, as Agave's `get_parsed_token_accounts` leaves them out.
 *
 * @throws {RpcError} -32600 for more data than base58 may show.
 */
export function showKeyedAccounts(
  accounts: Iterable<KeyedAccount>,
  program: Address,
  view: AccountView,
): JsonOutput {
  const onlyParsed = view.encoding === 'jsonParsed' && isTokenProgram(program);
  const shown: JsonOutput[] = [];
  for (const [pubkey, found] of accounts) {
    const account = showAccount(pubkey, found, view);
    if (onlyParsed && Array.isArray(account['data'])) continue;
    shown.push({ account, pubkey });
  }
  return shown;
}
