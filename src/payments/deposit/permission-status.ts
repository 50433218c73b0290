import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import { decodePermission } from '../../programs/permission/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Warning } from '../building/built-transaction.ts';
import type { PermissionPlan } from './plan.ts';

/** The permission account that an earlier deposit has left, or whoever made one since. */
export interface LeftPermission {
  readonly address: Address;
  /** Who may read the eATA on the rollup besides its owner; null when everybody may. */
  readonly otherReaders: readonly Address[] | null;
  /** A delegated one is its rollup's, and no instruction on base changes it. */
  readonly isDelegated: boolean;
}

/**
 * Reads the permission account of an eATA; null when there is none.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE when it has another form than the permission program gives it.
 */
export function judgePermission(
  address: Address,
  account: Account | null,
  owner: Address,
): LeftPermission | null {
  const isDelegated = account?.owner === DELEGATION_PROGRAM;
  // Lamports sent to the address before its creation leave a system account there.
  if (account === null || (account.owner !== PERMISSION_PROGRAM && !isDelegated)) return null;
  const permission = decodePermission(account.data);
  if (permission === null) {
    throw new ServiceError(
      'ACCOUNT_UNREADABLE',
      `The permission account ${address} has not the form its program gives it, so that nobody can tell who may read the deposit`,
      { permission: address },
    );
  }
  // The program of the account is a member as well, which may do nothing.
  const others = permission.members?.filter((member) => member.flags !== 0 && member.address !== owner);
  return { address, otherReaders: others?.map((member) => member.address) ?? null, isDelegated };
}

/** Whether the owner alone may read what it governs. */
export const isOwnersAlone = ({ otherReaders }: LeftPermission): boolean => otherReaders?.length === 0;

/** Whether a permission that is there lets others read, and can be set anew: the owner signs, which is all it takes. */
export const canReset = (permission: LeftPermission | null): boolean =>
  permission !== null && !permission.isDelegated && !isOwnersAlone(permission);

/** Whom a permission lets read besides the owner, in words. */
export const namesOfReaders = ({ otherReaders }: LeftPermission): string =>
  otherReaders === null ? 'everybody' : otherReaders.join(' and ');

/** A deposit that is to be private and is not, as others may read it and the transaction does not change that. */
export function warnOfOtherReaders(permission: LeftPermission): Warning {
  const { address, isDelegated } = permission;
  const mend = isDelegated
    ? 'it is delegated itself, so that nothing on the base ledger changes it: have it given back on its rollup first'
    : 'this transaction leaves it as it is: reset it first (instruction 9 of the ephemeral token program)';
  return {
    code: 'DEPOSIT_NOT_PRIVATE',
    message: `The deposit would not be private: its permission account ${address} lets ${namesOfReaders(permission)} read it on the rollup, and ${mend}, or deposit from another wallet.`,
  };
}

/** What a deposit does to a permission that is there. It stays when the tokens have been withdrawn. */
export function notesOnReaders(planned: PermissionPlan | null, permission: LeftPermission | null): string[] {
  if (permission === null) return [];
  const others = namesOfReaders(permission);
  if (planned?.resets === true) {
    return [
      `It also resets the permission account ${permission.address}, which let ${others} read: from then on only the owner can.`,
    ];
  }
  if (planned !== null || permission.otherReaders === null) return [];
  const readers = isOwnersAlone(permission) ? 'only the owner' : `only the owner and ${others}`;
  return [
    `It is private all the same: the permission account of an earlier deposit lets ${readers} read it on the rollup.`,
  ];
}
