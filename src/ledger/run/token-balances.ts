import { decodeMint, isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { TokenBalance } from '../ledger.ts';
import { type AccountView, readTokenAmount, readTokenKeys } from '../state/accounts.ts';
import type { AccountStates } from './account-states.ts';

/** The balances of a transaction's token accounts before and after. */
export interface TokenBalances {
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
}

/**
 * Returns the token balances of a transaction, in key order (Agave `BalanceCollector`). Lists initialized
 * token accounts whose mint belongs to the same program, except those called as programs. The list is empty
 * if no token program is among the keys.
 *
 * @param accounts the state before the transaction.
 */
export function collectTokenBalances(
  transaction: Transaction,
  addresses: readonly Address[],
  states: { readonly before: AccountStates; readonly after: AccountStates },
  accounts: AccountView,
): TokenBalances {
  const { before, after } = states;
  const pre: TokenBalance[] = [];
  const post: TokenBalance[] = [];
  if (!addresses.some(isTokenProgram)) return { preTokenBalances: pre, postTokenBalances: post };
  // The transaction may itself have created or closed the mint.
  const mintAfter = (mint: Address): Account | undefined => {
    const index = addresses.indexOf(mint);
    return index < 0 ? accounts.get(mint) : after[index];
  };
  for (const [index, address] of addresses.entries()) {
    if (isTokenProgram(address) || isInvoked(transaction, index)) continue;
    const old = before[index];
    const now = after[index];
    const oldKeys = accounts.tokenKeysAt(address);
    if (old !== undefined && oldKeys !== null) {
      pushBalance(pre, index, old, oldKeys, accounts.get(oldKeys.mint));
    }
    if (now === undefined) continue;
    const keys = readTokenKeys(now, old === undefined ? undefined : { account: old, keys: oldKeys });
    if (keys !== null) pushBalance(post, index, now, keys, mintAfter(keys.mint));
  }
  return { preTokenBalances: pre, postTokenBalances: post };
}

function pushBalance(
  balances: TokenBalance[],
  accountIndex: number,
  account: Account,
  { mint, owner }: Pick<TokenBalance, 'mint' | 'owner'>,
  mintAccount: Account | undefined,
): void {
  if (mintAccount === undefined || mintAccount.owner !== account.owner) return;
  const decimals = decodeMint(mintAccount.data)?.decimals;
  if (decimals === undefined) return;
  const amount = readTokenAmount(account.data);
  balances.push({ accountIndex, mint, owner, programId: account.owner, amount, decimals });
}

function isInvoked({ instructions }: Transaction, index: number): boolean {
  return instructions.some((instruction) => instruction.programIdIndex === index);
}
