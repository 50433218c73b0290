import type { Address } from '../../solana/address.ts';
import type { TokenHolding } from '../ledger.ts';
import type { AccountView } from './account-state.ts';
import { compareAddressBytes } from './compare-address-bytes.ts';
import { estimateTokenAmount, readTokenAmount } from './token-keys.ts';

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
  let leastEstimate = 0;
  const ofMint = accounts.tokenAccounts({ holder: 'mint', address: mint, program: tokenProgram });
  for (const [address, { data }] of ofMint) {
    // Nearly all hold less than the least of those that are kept.
    if (estimateTokenAmount(data) < leastEstimate) continue;
    const holding = { address, amount: readTokenAmount(data) };
    largest.splice(rankOf(holding, largest), 0, holding);
    if (largest.length > count) largest.pop();
    if (largest.length === count) leastEstimate = Number(largest.at(-1)?.amount ?? 0n);
  }
  return largest;
}

/** How many of these, which are in order, come before a holding. */
function rankOf(holding: TokenHolding, largest: readonly TokenHolding[]): number {
  let [from, to] = [0, largest.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isLarger(holding, largest[middle] as TokenHolding)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function isLarger(a: TokenHolding, b: TokenHolding): boolean {
  return a.amount === b.amount ? compareAddressBytes(a.address, b.address) > 0 : a.amount > b.amount;
}
