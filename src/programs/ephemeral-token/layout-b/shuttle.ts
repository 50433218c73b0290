import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { encode, type AccountsOf } from '../../instruction-table/encode.ts';
import { SHUTTLE_TABLE } from '../table/shuttle.ts';

/** Tag 11: creates an empty shuttle. `shuttleId` (u32) must be fresh for owner and mint. */
export const initShuttle = (
  accounts: AccountsOf<typeof SHUTTLE_TABLE.initShuttle>,
  shuttleId: number,
): Instruction => encode(SHUTTLE_TABLE.initShuttle, accounts, { shuttleId });

/** Tag 13: delegates a shuttle to a validator. `delegation` is that of the shuttle's eATA. */
export const delegateShuttle = (
  accounts: AccountsOf<typeof SHUTTLE_TABLE.delegateShuttle>,
  validator: Address | null,
): Instruction => encode(SHUTTLE_TABLE.delegateShuttle, accounts, { validator });

/**
 * Tag 14, sent to the rollup: undelegates and closes a shuttle. Remaining tokens go to the owner's ATA, the
 * rent to the rent PDA.
 *
 * @param escrowIndex the escrow that pays (u8); null leaves the choice to the program.
 */
export const undelegateAndCloseShuttle = (
  accounts: AccountsOf<typeof SHUTTLE_TABLE.undelegateAndCloseShuttle>,
  escrowIndex: number | null,
): Instruction => encode(SHUTTLE_TABLE.undelegateAndCloseShuttle, accounts, { escrowIndex });

/** Tag 15, sent to the rollup: moves a shuttle's tokens into an ATA. */
export const mergeShuttle = (accounts: AccountsOf<typeof SHUTTLE_TABLE.mergeShuttle>): Instruction =>
  encode(SHUTTLE_TABLE.mergeShuttle, accounts);

/**
 * Tag 32, sent to base: pays what is in a shuttle that was given back unmerged to `destinationAta`, an
 * account of its owner's, and closes it; its rent goes to `rentRefund`, which the shuttle's metadata name.
 * Anybody may send it.
 */
export const recoverShuttle = (accounts: AccountsOf<typeof SHUTTLE_TABLE.recoverShuttle>): Instruction =>
  encode(SHUTTLE_TABLE.recoverShuttle, accounts);
