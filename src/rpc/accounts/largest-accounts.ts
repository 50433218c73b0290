import type { Steps } from '../scan/scan.ts';
import { compareKeys, type KeyedAccount } from './keyed-accounts.ts';

/** Accounts examined per step. */
const ACCOUNTS_AT_ONCE = 64;

/**
 * The `count` accounts with the most lamports, by lamports and then by address bytes, both descending (Agave
 * `load_largest_accounts`, which keeps the pairs in a heap). One pass over `accounts`, of which no others are
 * kept.
 *
 * @param passes which of them count; all when left out.
 */
export function* largestAccounts(
  accounts: Iterable<KeyedAccount>,
  count: number,
  passes: (entry: KeyedAccount) => boolean = () => true,
): Steps<readonly KeyedAccount[]> {
  const largest: KeyedAccount[] = [];
  let looked = 0;
  for (const entry of accounts) {
    if (looked++ % ACCOUNTS_AT_ONCE === 0) yield 0;
    let rank = largest.length;
    while (rank > 0 && isLarger(entry, largest[rank - 1] as KeyedAccount)) rank--;
    if (rank >= count || !passes(entry)) continue;
    largest.splice(rank, 0, entry);
    if (largest.length > count) largest.pop();
  }
  return largest;
}

function isLarger(a: KeyedAccount, b: KeyedAccount): boolean {
  const more = a[1].lamports - b[1].lamports;
  return more === 0n ? compareKeys(a, b) > 0 : more > 0n;
}
