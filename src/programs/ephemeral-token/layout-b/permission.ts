import type { Instruction } from '../../../solana/instruction.ts';
import { encode, type AccountsOf } from '../../instruction-table/encode.ts';
import { EATA_TABLE } from '../table/eata.ts';

/** Tag 6: creates the eATA's permission account. A payer other than the owner may only pass flags 0. */
export const createPermission = (
  accounts: AccountsOf<typeof EATA_TABLE.createPermission>,
  flags: number,
): Instruction => encode(EATA_TABLE.createPermission, accounts, { flags });

/** Tag 7: delegates the permission account to a validator. `delegation` is that of the permission account. */
export const delegatePermission = (accounts: AccountsOf<typeof EATA_TABLE.delegatePermission>): Instruction =>
  encode(EATA_TABLE.delegatePermission, accounts);

/** Tag 8, sent to the rollup: requests that the permission account is undelegated. */
export const undelegatePermission = (
  accounts: AccountsOf<typeof EATA_TABLE.undelegatePermission>,
): Instruction => encode(EATA_TABLE.undelegatePermission, accounts);

/** Tag 9: resets the permission of the eATA to the owner with these flags. */
export const resetPermission = (
  accounts: AccountsOf<typeof EATA_TABLE.resetPermission>,
  flags: number,
): Instruction => encode(EATA_TABLE.resetPermission, accounts, { flags });
