import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { isDifferent } from '../state/differences.ts';
import type { AccountKeys } from './account-keys.ts';
import type { Outcome } from './executor.ts';

/**
 * The outcome of a run that was supplied with accounts, as if it had made those that it wrote, and as if the
 * others had never been.
 */
export function withoutSupplies(
  outcome: Outcome,
  { addresses }: AccountKeys,
  supplied: ReadonlyMap<Address, Account>,
): Outcome {
  const isSupplied = addresses.map((address) => supplied.has(address));
  const isUnused = addresses.map((address, index) => {
    const account = supplied.get(address);
    const after = outcome.after[index];
    return account !== undefined && (after === undefined || !isDifferent(account, after));
  });
  const { execution } = outcome;
  const zeroWhere = (lamports: readonly bigint[] | null, isZero: readonly boolean[]) =>
    lamports?.map((each, index) => (isZero[index] === true ? 0n : each)) ?? null;
  return {
    ...outcome,
    supplied,
    before: outcome.before.map((account, index) => (isSupplied[index] === true ? undefined : account)),
    after: outcome.after.map((account, index) => (isUnused[index] === true ? undefined : account)),
    execution: {
      ...execution,
      preBalances: zeroWhere(execution.preBalances, isSupplied),
      postBalances: zeroWhere(execution.postBalances, isUnused),
    },
  };
}
