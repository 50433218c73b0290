import { addressBytes, type Address } from '../../solana/address.ts';
import {
  readonly,
  signer,
  writable,
  writableSigner,
  type AccountMeta,
  type Instruction,
} from '../../solana/instruction.ts';
import {
  DELEGATION_PROGRAM,
  MAGIC_CONTEXT,
  MAGIC_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
} from '../addresses.ts';
import type { DelegationAccounts } from '../ephemeral-token/layout-a.ts';
import { concat, option, u64, u8, vec } from '../instruction-data.ts';
import type { Member } from './state.ts';

/** Instructions of the permission program. The first u64 names the instruction. */

/** An account that may sign: of authority and governed account at least one has to. */
export interface Party {
  readonly address: Address;
  readonly signs: boolean;
}

/** Who acts on a permission: a member with the authority flag, or the governed account itself. */
export interface PermissionParties {
  readonly authority: Party;
  readonly account: Party;
  readonly permission: Address;
}

/** `CreatePermission` (0). With null for `members` everybody may read the account. */
export function createPermission(
  accounts: { account: Address; permission: Address; payer: Address },
  members: readonly Member[] | null,
): Instruction {
  return call(
    0n,
    [
      signer(accounts.account),
      writable(accounts.permission),
      writableSigner(accounts.payer),
      readonly(SYSTEM_PROGRAM),
    ],
    membersField(members),
  );
}

/** `UpdatePermission` (1): puts `members` in place of those that were. */
export function updatePermission(
  { authority, account, permission }: PermissionParties,
  members: readonly Member[] | null,
): Instruction {
  return call(1n, [asReadonly(authority), asReadonly(account), writable(permission)], membersField(members));
}

/** `ClosePermission` (2): the rent goes to `payer`. */
export function closePermission(accounts: PermissionParties & { readonly payer: Address }): Instruction {
  return call(2n, [
    writable(accounts.payer),
    asReadonly(accounts.authority),
    asReadonly(accounts.account),
    writable(accounts.permission),
  ]);
}

/**
 * `DelegatePermission` (3): hands the permission account over to `validator`, null for the delegation program's own
 * default. `delegation` belongs to the permission account.
 */
export function delegatePermission(
  accounts: PermissionParties & { readonly payer: Address; readonly delegation: DelegationAccounts },
  validator: Address | null,
): Instruction {
  const { buffer, record, metadata } = accounts.delegation;
  return call(3n, [
    writableSigner(accounts.payer),
    asWritableSigner(accounts.authority),
    asWritableSigner(accounts.account),
    writable(accounts.permission),
    readonly(SYSTEM_PROGRAM),
    readonly(PERMISSION_PROGRAM),
    writable(buffer),
    writable(record),
    writable(metadata),
    readonly(DELEGATION_PROGRAM),
    ...(validator === null ? [] : [readonly(validator)]),
  ]);
}

/** `CommitPermission` (4), sent to the rollup: asks for the permission to be settled. */
export function commitPermission(parties: PermissionParties): Instruction {
  return call(4n, commitMetas(parties));
}

/** `CommitAndUndelegatePermission` (5), sent to the rollup: asks for it to be settled and given back. */
export function commitAndUndelegatePermission(parties: PermissionParties): Instruction {
  return call(5n, commitMetas(parties));
}

function call(discriminator: bigint, accounts: AccountMeta[], ...fields: Uint8Array[]): Instruction {
  return { programId: PERMISSION_PROGRAM, accounts, data: concat(u64(discriminator), ...fields) };
}

function commitMetas({ authority, account, permission }: PermissionParties): AccountMeta[] {
  return [
    asWritableSigner(authority),
    { address: account.address, signer: account.signs, writable: true },
    writable(permission),
    readonly(MAGIC_PROGRAM),
    writable(MAGIC_CONTEXT),
  ];
}

const asReadonly = ({ address, signs }: Party): AccountMeta => ({ address, signer: signs, writable: false });

/** The MagicBlock SDK makes whoever may sign for a delegation or a commit writable when they do, and only then. */
const asWritableSigner = ({ address, signs }: Party): AccountMeta => ({
  address,
  signer: signs,
  writable: signs,
});

/** Borsh `Option<Vec<Member>>`; a member is its flags u8 and its address. */
function membersField(members: readonly Member[] | null): Uint8Array {
  if (members === null) return option(null);
  return option(vec(members.map(({ flags, address }) => concat(u8(flags), addressBytes(address)))));
}
