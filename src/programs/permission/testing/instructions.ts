import { type Address, addressBytes } from '../../../solana/address.ts';
import type { AccountMeta, Instruction } from '../../../solana/instruction.ts';
import type { DelegationAccounts } from '../../delegation/pdas.ts';
import { concat, option, u8, vec } from '../../instruction-data.ts';
import { type AccountsOf, encode } from '../../instruction-table/encode.ts';
import type { Member } from '../state.ts';
import { PERMISSION_TABLE } from '../table.ts';

/** Instructions of the permission program. Null members mean that everyone may read the account. */

/** An account that may sign. The authority or the governed account must sign. */
export interface Party {
  readonly address: Address;
  readonly signs: boolean;
}

/** The parties that can change a permission: a member with the authority flag, and the governed account. */
export interface PermissionParties {
  readonly authority: Party;
  readonly account: Party;
  readonly permission: Address;
}

export const createPermission = (
  accounts: AccountsOf<typeof PERMISSION_TABLE.createPermission>,
  members: readonly Member[] | null,
): Instruction => encode(PERMISSION_TABLE.createPermission, accounts, { members: membersField(members) });

/** Replaces the members of a permission. */
export const updatePermission = (
  { authority, account, permission }: PermissionParties,
  members: readonly Member[] | null,
): Instruction =>
  encode(
    PERMISSION_TABLE.updatePermission,
    { authority: asReadonly(authority), account: asReadonly(account), permission },
    { members: membersField(members) },
  );

/** Closes the permission account. Its rent goes to `payer`. */
export const closePermission = ({
  authority,
  account,
  ...others
}: PermissionParties & { readonly payer: Address }): Instruction =>
  encode(PERMISSION_TABLE.closePermission, {
    ...others,
    authority: asReadonly(authority),
    account: asReadonly(account),
  });

/**
 * Delegates the permission account to `validator`; null for the delegation program's own default.
 * `delegation` belongs to the permission account.
 */
export const delegatePermission = (
  {
    authority,
    account,
    ...others
  }: PermissionParties & { readonly payer: Address; readonly delegation: DelegationAccounts },
  validator: Address | null,
): Instruction =>
  encode(PERMISSION_TABLE.delegatePermission, {
    ...others,
    authority: asWritableSigner(authority),
    account: asWritableSigner(account),
    validator,
  });

/** Requests that the permission be committed to base. It is sent to the rollup. */
export const commitPermission = (parties: PermissionParties): Instruction =>
  encode(PERMISSION_TABLE.commitPermission, committing(parties));

/** Requests that the permission be committed and undelegated. It is sent to the rollup. */
export const commitAndUndelegatePermission = (parties: PermissionParties): Instruction =>
  encode(PERMISSION_TABLE.commitAndUndelegatePermission, committing(parties));

const committing = ({ authority, account, permission }: PermissionParties) => ({
  authority: asWritableSigner(authority),
  account: { address: account.address, signer: account.signs, writable: true },
  permission,
});

const asReadonly = ({ address, signs }: Party): AccountMeta => ({ address, signer: signs, writable: false });

/** Marks an account as writable only if it signs, as in the MagicBlock SDK's delegations and commits. */
const asWritableSigner = ({ address, signs }: Party): AccountMeta => ({
  address,
  signer: signs,
  writable: signs,
});

/** Encodes Borsh `Option<Vec<Member>>`. */
const membersField = (members: readonly Member[] | null): Uint8Array =>
  option(members && vec(members.map(({ flags, address }) => concat(u8(flags), addressBytes(address)))));
