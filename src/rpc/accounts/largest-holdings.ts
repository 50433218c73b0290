import { compareAddressBytes } from '../../ledger/state/compare-address-bytes.ts';
import { estimateTokenAmount, readTokenAmount } from '../../ledger/state/token-keys.ts';
import type { Address } from '../../solana/address.ts';
import type { Steps } from '../scan/scan.ts';
import type { KeyedAccount } from './keyed-accounts.ts';

/** A token account and its amount in base units. */
export interface Holding {
  readonly address: Address;
  readonly amount: bigint;
}

/** Accounts examined per step. */
const ACCOUNTS_AT_ONCE = 64;

/**
 * The `count` largest token accounts, by amount and then by address bytes, both descending (Agave
 * `get_token_largest_accounts`, which keeps the pairs in a heap). One pass over `accounts`.
 */
export function* largestHoldings(accounts: Iterable<KeyedAccount>, count: number): Steps<readonly Holding[]> {
  const largest: Holding[] = [];
  let leastEstimate = 0;
  let looked = 0;
  for (const [address, { data }] of accounts) {
    if (looked++ % ACCOUNTS_AT_ONCE === 0) yield 0;
    // Almost all accounts hold less than the smallest one kept so far.
    if (estimateTokenAmount(data) < leastEstimate) continue;
    const holding = { address, amount: readTokenAmount(data) };
    largest.splice(rankOf(holding, largest), 0, holding);
    if (largest.length > count) largest.pop();
    if (largest.length === count) leastEstimate = Number(largest.at(-1)?.amount ?? 0n);
  }
  return largest;
}

/** The rank of a holding among these, which are sorted. */
function rankOf(holding: Holding, largest: readonly Holding[]): number {
  let [from, to] = [0, largest.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isLarger(holding, largest[middle] as Holding)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function isLarger(a: Holding, b: Holding): boolean {
  return a.amount === b.amount ? compareAddressBytes(a.address, b.address) > 0 : a.amount > b.amount;
}
