import type { Address } from '../../../../solana/address.ts';
import type { Instruction } from '../../../../solana/instruction.ts';
import { type AccountsOf, encode } from '../../../instruction-table/encode.ts';
import { EATA_TABLE } from '../../table/eata.ts';
import { QUEUE_TABLE } from '../../table/queue.ts';
import { SHUTTLE_TABLE } from '../../table/shuttle.ts';

/** Creates an empty shuttle (tag 11). `shuttleId` (u32) must be fresh for owner and mint. */
export const initShuttle = (
  accounts: AccountsOf<typeof SHUTTLE_TABLE.initShuttle>,
  shuttleId: number,
): Instruction => encode(SHUTTLE_TABLE.initShuttle, accounts, { shuttleId });

/** Delegates a shuttle to a validator (tag 13). `delegation` belongs to the shuttle's eATA. */
export const delegateShuttle = (
  accounts: AccountsOf<typeof SHUTTLE_TABLE.delegateShuttle>,
  validator: Address | null,
): Instruction => encode(SHUTTLE_TABLE.delegateShuttle, accounts, { validator });

/**
 * Undelegates and closes a shuttle (tag 14, sent to the rollup). Remaining tokens go to the owner's ATA and
 * the rent goes to the rent PDA.
 *
 * @param escrowIndex the escrow that pays (u8); null lets the program choose.
 */
export const undelegateAndCloseShuttle = (
  accounts: AccountsOf<typeof SHUTTLE_TABLE.undelegateAndCloseShuttle>,
  escrowIndex: number | null,
): Instruction => encode(SHUTTLE_TABLE.undelegateAndCloseShuttle, accounts, { escrowIndex });

/** Moves a shuttle's tokens into an ATA (tag 15, sent to the rollup). */
export const mergeShuttle = (accounts: AccountsOf<typeof SHUTTLE_TABLE.mergeShuttle>): Instruction =>
  encode(SHUTTLE_TABLE.mergeShuttle, accounts);

/** Grows the queue's account by as many items as its lamports cover, up to 10,240 bytes per call (tag 27). */
export const allocateTransferQueue = (queue: Address): Instruction =>
  encode(QUEUE_TABLE.allocateTransferQueue, { queue });

/**
 * Executes a pending refill of the queue's lamports from the rent PDA (tag 28). `lamportsPda` is derived from
 * the rent PDA, the queue, and the queue's bytes as salt; `delegation` belongs to `lamportsPda`, and
 * `queueRecord` to the queue.
 */
export const refillTransferQueue = (
  accounts: AccountsOf<typeof QUEUE_TABLE.refillTransferQueue>,
): Instruction => encode(QUEUE_TABLE.refillTransferQueue, accounts);

/** Delegates a permission account to a validator (tag 7). `delegation` belongs to that account. */
export const delegatePermission = (accounts: AccountsOf<typeof EATA_TABLE.delegatePermission>): Instruction =>
  encode(EATA_TABLE.delegatePermission, accounts);

/** Requests that the permission account be undelegated (tag 8, sent to the rollup). */
export const undelegatePermission = (
  accounts: AccountsOf<typeof EATA_TABLE.undelegatePermission>,
): Instruction => encode(EATA_TABLE.undelegatePermission, accounts);

/** Resets the permission of the eATA to the owner with these flags (tag 9). */
export const resetPermission = (
  accounts: AccountsOf<typeof EATA_TABLE.resetPermission>,
  flags: number,
): Instruction => encode(EATA_TABLE.resetPermission, accounts, { flags });

/**
 * Sends `lamports` to a delegated account through a carrier whose rent the rent PDA pays (tag 20).
 * `lamportsPda` is derived from payer, destination and `salt` (32 bytes); `delegation` belongs to the
 * carrier.
 */
export const sponsorLamportsTransfer = (
  accounts: AccountsOf<typeof QUEUE_TABLE.sponsorLamportsTransfer>,
  lamports: bigint,
  salt: Uint8Array,
): Instruction => encode(QUEUE_TABLE.sponsorLamportsTransfer, accounts, { lamports, salt });
