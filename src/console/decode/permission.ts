import { decodePermission } from '../../programs/permission/state.ts';
import type { DecodedAccount } from '../answers.ts';
import { AccountForm } from './account-form.ts';

/** Offsets in a permission (`decodePermission`). */
const OPTION_AT = 34;
const COUNT_AT = 35;
const MEMBERS_AT = 39;
const MEMBER_BYTES = 33;

/** Members that are shown; a permission holds fewer (`PERMISSION_BYTES`). */
const MEMBERS_SHOWN_MAX = 64;

/** Decodes an account of the permission program. */
export function decodePermissionAccount(data: Uint8Array): DecodedAccount | null {
  const permission = decodePermission(data);
  if (permission === null) return null;
  const { members } = permission;
  const form = new AccountForm(data)
    .u8('discriminator', 'Kind', 0)
    .u8('bump', 'Bump', 1)
    .address('account', 'Account', 2)
    .flag('isPrivate', 'Only its members read it', OPTION_AT, members !== null);
  if (members === null) return form.as('permission');
  form.u32('memberCount', 'Members', COUNT_AT);
  for (const index of members.slice(0, MEMBERS_SHOWN_MAX).keys()) {
    const at = MEMBERS_AT + index * MEMBER_BYTES;
    form
      .u8(`member${index + 1}Flags`, `Rights of member ${index + 1}`, at)
      .address(`member${index + 1}`, `Member ${index + 1}`, at + 1);
  }
  return form.as('permission');
}
