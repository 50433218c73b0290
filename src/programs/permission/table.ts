import { PERMISSION_PROGRAM } from '../addresses.ts';
import {
  free,
  optional,
  readonly,
  signer,
  writable,
  writableSigner,
} from '../instruction-table/account-spec.ts';
import { members, rest, u8 } from '../instruction-table/field-codec.ts';
import { instructionTable, type ProgramSpec } from '../instruction-table/instruction-spec.ts';

export const PERMISSION: ProgramSpec = {
  address: PERMISSION_PROGRAM,
  name: 'permission program',
  tagBytes: 8,
};

const commitAccounts = [
  free('authority'),
  free('account'),
  writable('permission'),
  readonly('magicProgram'),
  writable('magicContext'),
] as const;

/** Instructions of the permission program. The authority or the governed account must sign. */
export const PERMISSION_TABLE = instructionTable(PERMISSION, {
  createPermission: {
    tag: 0,
    accounts: [signer('account'), writable('permission'), writableSigner('payer'), readonly('systemProgram')],
    fields: { members },
  },
  updatePermission: {
    tag: 1,
    accounts: [free('authority'), free('account'), writable('permission')],
    fields: { members },
  },
  closePermission: {
    tag: 2,
    accounts: [writable('payer'), free('authority'), free('account'), writable('permission')],
  },
  delegatePermission: {
    tag: 3,
    accounts: [
      writableSigner('payer'),
      free('authority'),
      free('account'),
      writable('permission'),
      readonly('systemProgram'),
      readonly('permissionProgram'),
      writable('permissionBuffer', 'delegation.buffer'),
      writable('permissionRecord', 'delegation.record'),
      writable('permissionMetadata', 'delegation.metadata'),
      readonly('delegationProgram'),
      optional(readonly('validator')),
    ],
  },
  /** Commits a permission. It is sent to the rollup, like `commitAndUndelegatePermission`. */
  commitPermission: { tag: 4, accounts: commitAccounts },
  commitAndUndelegatePermission: { tag: 5, accounts: commitAccounts },
  /** Creates a permission for a rollup-only account. `members` are pairs of flags u8 and address. */
  createEphemeralPermission: {
    tag: 6,
    accounts: [
      signer('account'),
      writable('permission'),
      writableSigner('payer'),
      writable('ephemeralVault'),
      readonly('magicProgram'),
    ],
    fields: { isPrivate: u8, readers: rest },
  },
  closeEphemeralPermission: {
    tag: 8,
    accounts: [
      free('account'),
      writable('permission'),
      free('authority'),
      writableSigner('payer'),
      writable('ephemeralVault'),
      readonly('magicProgram'),
    ],
  },
});
