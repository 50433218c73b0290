import type { Account } from '../../solana/account.ts';
import type { AccountChange } from '../ledger-events.ts';
import type { AccountView } from './account-state.ts';

/** Whether two accounts differ in anything. */
export function isDifferent(a: Account, b: Account): boolean {
  return (
    a.lamports !== b.lamports ||
    a.owner !== b.owner ||
    a.executable !== b.executable ||
    a.rentEpoch !== b.rentEpoch ||
    Buffer.compare(a.data, b.data) !== 0
  );
}

/** The accounts that have to change for `before` to become `after`. */
export function differences(before: AccountView, after: AccountView): AccountChange[] {
  const changes: AccountChange[] = [];
  for (const [address, account] of before.entries()) {
    const now = after.get(address);
    if (now === undefined || isDifferent(account, now)) {
      changes.push({ address, before: account, after: now ?? null });
    }
  }
  for (const [address, account] of after.entries()) {
    if (before.get(address) === undefined) changes.push({ address, before: null, after: account });
  }
  return changes;
}
