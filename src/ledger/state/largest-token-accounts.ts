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
  let smallest = -1n;
  for (const [address, { data }] of accounts.tokenAccounts({
    holder: 'mint',
    address: mint,
    program: tokenProgram,
  })) {
    const amount = readTokenAmount(data);
    // Nearly all are below the least of those that are kept.
    if (amount < smallest) continue;
    const holding = { address, amount };
    let rank = largest.length;
    while (rank > 0 && isLarger(holding, largest[rank - 1] as TokenHolding)) rank--;
    if (rank >= count) continue;
    largest.splice(rank, 0, holding);
    if (largest.length > count) largest.pop();
    if (largest.length === count) smallest = (largest[count - 1] as TokenHolding).amount;
  }
  return largest;
}

function isLarger(a: TokenHolding, b: TokenHolding): boolean {
  return a.amount === b.amount ? compareAddresses(a.address, b.address) > 0 : a.amount > b.amount;
}
