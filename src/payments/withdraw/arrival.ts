import type { Arrival } from '../warnings/arrival-warnings.ts';
import { expectedOwnerAta } from '../accounts/deposit-accounts.ts';
import type { WithdrawPlan } from './plan.ts';

/** The owner's ATA, which a withdrawal pays without a memo. */
export const arrivalOf = ({ accounts }: WithdrawPlan, decimals: number): Arrival => ({
  ...expectedOwnerAta(accounts),
  owner: accounts.owner,
  decimals,
  memoMend: 'switch that off first (MemoTransfer Disable)',
});
