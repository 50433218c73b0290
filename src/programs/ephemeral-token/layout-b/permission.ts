import type { Address } from '../../../solana/address.ts';
import { readonly, signer, writable, writableSigner, type Instruction } from '../../../solana/instruction.ts';
import {
  DELEGATION_PROGRAM,
  MAGIC_CONTEXT,
  MAGIC_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../addresses.ts';
import { u8 } from '../../instruction-data.ts';
import type { DelegationAccounts } from '../layout-a.ts';
import { call, TAG } from './call.ts';

/** Tag 6: creates the eATA's permission account. A payer who is not the owner may only pass flags 0. */
export function createPermission(
  accounts: { eata: Address; permission: Address; payer: Address },
  flags: number,
): Instruction {
  return call(
    TAG.createPermission,
    [
      writable(accounts.eata),
      writable(accounts.permission),
      writableSigner(accounts.payer),
      readonly(SYSTEM_PROGRAM),
      readonly(PERMISSION_PROGRAM),
    ],
    u8(flags),
  );
}

/** Tag 7: hands the permission account over to a validator too. `delegation` belongs to the permission account. */
export function delegatePermission(accounts: {
  payer: Address;
  eata: Address;
  permission: Address;
  delegation: DelegationAccounts;
  validator: Address;
}): Instruction {
  const { buffer, record, metadata } = accounts.delegation;
  return call(TAG.delegatePermission, [
    writableSigner(accounts.payer),
    writable(accounts.eata),
    readonly(PERMISSION_PROGRAM),
    writable(accounts.permission),
    readonly(SYSTEM_PROGRAM),
    writable(buffer),
    writable(record),
    writable(metadata),
    readonly(DELEGATION_PROGRAM),
    readonly(accounts.validator),
  ]);
}

/** Tag 8, sent to the rollup: asks for the permission account to be given back. */
export function undelegatePermission(accounts: {
  owner: Address;
  eata: Address;
  permission: Address;
}): Instruction {
  return call(TAG.undelegatePermission, [
    signer(accounts.owner),
    writable(accounts.eata),
    writable(accounts.permission),
    readonly(PERMISSION_PROGRAM),
    readonly(MAGIC_PROGRAM),
    writable(MAGIC_CONTEXT),
  ]);
}

/** Tag 9: sets the owner's flags in the eATA's permission anew. */
export function resetPermission(
  accounts: { eata: Address; permission: Address; owner: Address },
  flags: number,
): Instruction {
  return call(
    TAG.resetPermission,
    [
      readonly(accounts.eata),
      writable(accounts.permission),
      signer(accounts.owner),
      readonly(PERMISSION_PROGRAM),
    ],
    u8(flags),
  );
}
