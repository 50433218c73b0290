import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import { decodePermission } from '../../programs/permission/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Warning } from '../building/built-transaction.ts';
import type { PermissionPlan } from './plan.ts';

/** The permission account that an earlier deposit, or anyone since, has created. */
export interface LeftPermission {
  readonly address: Address;
  /** Readers of the eATA on the rollup other than its owner; null if everyone may read it. */
  readonly otherReaders: readonly Address[] | null;
  /** A delegated permission belongs to its rollup; no instruction on base changes it. */
  readonly isDelegated: boolean;
}

/**
 * Reads the permission account of an eATA; null if there is none.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if it is not in the permission program's format.
 */
export function readPermission(
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
      `The permission account ${address} is not in the format of its program, so the readers of the deposit are unknown`,
      { permission: address },
    );
  }
  // The owner program of the account is also a member, but without any right.
  const others = permission.members?.filter((member) => member.flags !== 0 && member.address !== owner);
  return { address, otherReaders: others?.map((member) => member.address) ?? null, isDelegated };
}

/** Whether only the owner may read the account. */
export const isOwnersAlone = ({ otherReaders }: LeftPermission): boolean => otherReaders?.length === 0;

/** Whether a permission lets others read and can be reset. The owner's signature is enough for that. */
export const canReset = (permission: LeftPermission | null): boolean =>
  permission !== null && !permission.isDelegated && !isOwnersAlone(permission);

/** Names the readers of a permission other than the owner. */
export const namesOfReaders = ({ otherReaders }: LeftPermission): string =>
  otherReaders === null ? 'everyone' : otherReaders.join(' and ');

/** Warns of a private deposit that others may read, because the transaction does not reset the permission. */
export function warnOfOtherReaders(permission: LeftPermission): Warning {
  const { address, isDelegated } = permission;
  const advice = isDelegated
    ? 'it is delegated itself and cannot be changed on the base ledger: undelegate it on its rollup first'
    : 'this transaction does not change it: reset it first (instruction 9 of the ephemeral token program)';
  return {
    code: 'DEPOSIT_NOT_PRIVATE',
    message: `The deposit would not be private: its permission account ${address} lets ${namesOfReaders(permission)} read it on the rollup, and ${advice}, or deposit from another wallet.`,
  };
}

/**
 * Describes the effect of a deposit on an existing permission. The permission remains after the tokens are
 * withdrawn.
 */
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
    `It is private nevertheless: the permission account of an earlier deposit lets ${readers} read it on the rollup.`,
  ];
}
