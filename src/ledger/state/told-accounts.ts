import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountChange } from '../ledger-events.ts';
import type { AccountView } from './account-state.ts';

/** Accounts of a moment that has been left already: what can be asked of them. */
export type ToldAccounts = Pick<AccountView, 'get' | 'ownedBy'>;

/**
 * Accounts as they were before some changes, which are given in the order in which they happened.
 *
 * @param accounts with all of these changes.
 */
export function accountsBefore(changes: Iterable<AccountChange>, accounts: AccountView): ToldAccounts {
  const before = new Map<Address, Account | null>();
  for (const change of changes) {
    if (!before.has(change.address)) before.set(change.address, change.before);
  }
  if (before.size === 0) return accounts;
  return {
    get(address) {
      const account = before.get(address);
      return account === undefined ? accounts.get(address) : (account ?? undefined);
    },
    *ownedBy(program) {
      for (const entry of accounts.ownedBy(program)) if (!before.has(entry[0])) yield entry;
      for (const [address, account] of before) if (account?.owner === program) yield [address, account];
    },
  };
}
