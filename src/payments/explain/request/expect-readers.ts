import type { DepositAccounts } from '../../accounts/deposit-accounts.ts';
import { DEPOSIT_LAYOUTS } from '../../deposit/layouts.ts';
import { canReset, isOwnersAlone, namesOfReaders } from '../../deposit/permission-status.ts';
import { permissionOf } from '../state/readers.ts';
import type { Difference } from './compare.ts';
import type { Doubt, ExpectationSource } from './expectation.ts';

/** What a private deposit has to do about the permission of its eATA, and what is left to say. */
interface ExpectedReaders {
  /** Whether the transaction has to set the permission anew; layout A only. */
  readonly resets: boolean;
  readonly differences: readonly Difference[];
  readonly doubts: readonly Doubt[];
}

/** A deposit that anybody may read asks nothing of a permission. */
export const NOT_PRIVATE: ExpectedReaders = { resets: false, differences: [], doubts: [] };

/**
 * A permission that an earlier deposit left, and that somebody else may have been given since, is read from the chain: on
 * layout A the deposit has to reset it where others may read. Where it cannot be reset the deposit is not private.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE when the permission account has another form than its program gives it.
 */
export function expectReaders(
  { owner, permission: address }: DepositAccounts,
  { chain, facts, hints }: ExpectationSource,
): ExpectedReaders {
  const permission = permissionOf(facts, address, owner);
  const found = hints.actions.includes('resetEataPermission');
  if (permission === undefined) {
    const message = `The permission account ${address} was not read: whether it lets others than ${owner} read the deposit cannot be told.`;
    return { resets: found, differences: [], doubts: [{ claim: 'private', message }] };
  }
  if (permission === null || isOwnersAlone(permission)) return NOT_PRIVATE;
  const { resetsPermission } = DEPOSIT_LAYOUTS[chain.layout];
  if (resetsPermission && canReset(permission)) return { ...NOT_PRIVATE, resets: true };
  const difference: Difference = {
    part: 'permission',
    expected: `read by ${owner} alone`,
    found: `read by ${namesOfReaders(permission)} as well, by permission account ${address}`,
  };
  return { ...NOT_PRIVATE, differences: [difference] };
}
