import type { Address } from '../../solana/address.ts';
import type { TokenHolding } from '../ledger.ts';
import type { AccountView } from './account-state.ts';
import { compareAddresses } from './compare-addresses.ts';
import { readTokenAmount } from './token-keys.ts';

/**
 * The `count` accounts of a mint that hold most, by amount and then by address bytes, both descending (Agave
 * `get_token_largest_accounts`, which keeps the pairs in a heap). One pass over the accounts of the mint.
 */
export function largestTokenAccounts(
  accounts: AccountView,
  mint: Address,
  tokenProgram: Address,
  count: number,
): TokenHolding[] {
  const largest: TokenHolding[] = [];
  for (const address of accounts.tokenAccountsOf(mint)) {
    const account = accounts.get(address);
    if (account === undefined || account.owner !== tokenProgram) continue;
    const holding = { address, amount: readTokenAmount(account.data) };
    let rank = largest.length;
    while (rank > 0 && isLarger(holding, largest[rank - 1] as TokenHolding)) rank--;
    if (rank >= count) continue;
    largest.splice(rank, 0, holding);
    if (largest.length > count) largest.pop();
  }
  return largest;
}

function isLarger(a: TokenHolding, b: TokenHolding): boolean {
  return a.amount === b.amount ? compareAddresses(a.address, b.address) > 0 : a.amount > b.amount;
}
