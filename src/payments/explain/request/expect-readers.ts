import type { DepositAccounts } from '../../accounts/deposit-accounts.ts';
import { DEPOSIT_LAYOUTS } from '../../deposit/layouts.ts';
import { canReset, isOwnersAlone, namesOfReaders } from '../../deposit/permission-status.ts';
import { permissionOf } from '../state/readers.ts';
import type { Difference } from './compare.ts';
import type { Doubt, ExpectationSource } from './expectation.ts';

/** How a private deposit has to treat the permission of its eATA, and the remarks on it. */
interface ExpectedReaders {
  /** Whether the transaction has to reset the permission; layout A only. */
  readonly resets: boolean;
  readonly differences: readonly Difference[];
  readonly doubts: readonly Doubt[];
}

/** For a public deposit the permission does not matter. */
export const NOT_PRIVATE: ExpectedReaders = { resets: false, differences: [], doubts: [] };

/**
 * Reads an existing permission from the chain, which an earlier deposit left and someone else may have
 * received since. On layout A the deposit has to reset it if others may read. If it cannot be reset, the
 * deposit is not private.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if the permission account is not in its program's format.
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
