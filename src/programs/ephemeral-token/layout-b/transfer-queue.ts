import { type Address, addressOf } from '../../../solana/address.ts';
import { viewOf } from '../../../solana/byte-reader.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { type AccountsOf, encode } from '../../instruction-table/encode.ts';
import type { DeliveryTerms } from '../../private-transfer/seal-transfer.ts';
import { QUEUE_TABLE } from '../table/queue.ts';

const HEADER_BYTES = 96;
const ITEM_BYTES = 96;
const VERSION = 1;
const LENGTH_AT = 40;
const NEXT_GROUP_ID_AT = 44;
const NEXT_TASK_ID_AT = 52;

/** A flag of an item: the destination's ATA is created before the payment. */
const CREATE_DESTINATION_ATA = 1;

/** Default capacity of a queue, in transfers (ephemeral SPL token program). */
export const QUEUE_ITEMS_DEFAULT = 100;

/** Returns the size of a queue with room for `items` transfers, in bytes. */
export function transferQueueBytes(items: number): number {
  return HEADER_BYTES + items * ITEM_BYTES;
}

interface QueuedTransfer {
  readonly sourceOwner: Address;
  readonly destinationOwner: Address;
  /** Amount, in base units. */
  readonly amount: bigint;
  /** Time at which the transfer is due, in Unix ms. */
  readonly readyAtMs: bigint;
  /** The sender's reference; 0 if there is none. The queue cannot store a reference of 0. */
  readonly clientRefId: bigint;
  readonly taskId: number;
  readonly createsDestinationAta: boolean;
  /** The payment that this transfer is a part of; 0 if there is none. */
  readonly groupId: number;
}

/** The queue of delayed transfers of a mint on one validator. */
interface TransferQueue {
  readonly bump: number;
  readonly mint: Address;
  readonly validator: Address;
  readonly nextGroupId: number;
  readonly nextTaskId: number;
  /** The scheduled task that pays out the transfers; null if there is none. */
  readonly crankTaskId: bigint | null;
  readonly capacity: number;
  /** The queued transfers as a binary min-heap. The first transfer is due next; the others are not sorted. */
  readonly transfers: readonly QueuedTransfer[];
}

/**
 * Decodes a transfer queue (`TransferQueueHeader`, then `QueuedTransfer` items of 96 bytes each). Returns
 * null for an account that is too short, has a different version, or claims more transfers than fit.
 */
export function decodeTransferQueue(data: Uint8Array): TransferQueue | null {
  if (data.length < HEADER_BYTES || data[0] !== VERSION) return null;
  const view = viewOf(data);
  // Header: version u8, bump u8, mint at 8, length u32 at 40, next group id u32 at 44, next task id u32 at
  // 52, crank task id i64 at 56, validator at 64.
  const length = view.getUint32(LENGTH_AT, true);
  const capacity = Math.floor((data.length - HEADER_BYTES) / ITEM_BYTES);
  if (length > capacity) return null;
  const crankTaskId = view.getBigInt64(56, true);
  return {
    bump: data[1] as number,
    mint: addressOf(data.subarray(8, 40)),
    validator: addressOf(data.subarray(64, 96)),
    nextGroupId: view.getUint32(NEXT_GROUP_ID_AT, true),
    nextTaskId: view.getUint32(NEXT_TASK_ID_AT, true),
    crankTaskId: crankTaskId === 0n ? null : crankTaskId,
    capacity,
    transfers: Array.from({ length }, (_, index) => {
      const at = HEADER_BYTES + index * ITEM_BYTES;
      return decodeItem(data.subarray(at, at + ITEM_BYTES));
    }),
  };
}

/** Returns a transfer queue's bytes without its transfers; null if they are not a transfer queue. */
export function emptyTransferQueue(data: Uint8Array): Uint8Array | null {
  if (decodeTransferQueue(data) === null) return null;
  const empty = new Uint8Array(data).fill(0, HEADER_BYTES);
  const view = viewOf(empty);
  view.setUint32(LENGTH_AT, 0, true);
  view.setUint32(NEXT_GROUP_ID_AT, 1, true);
  view.setUint32(NEXT_TASK_ID_AT, 1, true);
  return empty;
}

function decodeItem(item: Uint8Array): QueuedTransfer {
  const view = viewOf(item);
  return {
    sourceOwner: addressOf(item.subarray(0, 32)),
    destinationOwner: addressOf(item.subarray(32, 64)),
    amount: view.getBigUint64(64, true),
    readyAtMs: view.getBigInt64(72, true),
    clientRefId: view.getBigUint64(80, true),
    taskId: view.getUint32(88, true),
    createsDestinationAta: (view.getUint8(92) & CREATE_DESTINATION_ATA) !== 0,
    // The group id is in the last three bytes, a u24.
    groupId: view.getUint16(93, true) | (view.getUint8(95) << 16),
  };
}

/** The highest group id, which is stored in 24 bits. 0 means none. */
export const GROUP_ID_MAX = 0xff_ffff;

/**
 * Debits the owner's ATA and queues a transfer to the destination on base (tag 16, sent to the rollup).
 *
 * @param receiptPermission null for the form of the MagicBlock SDK 0.15 (12 accounts). The hosted API passes
 *   it to keep the receipt private (14 accounts).
 * @throws {RangeError} if `groupId` is not 1 to {@link GROUP_ID_MAX}.
 */
export function queueTransfer(
  accounts: AccountsOf<typeof QUEUE_TABLE.queueTransfer> & { readonly receiptPermission: Address | null },
  { amount, groupId, terms }: { amount: bigint; groupId: number; terms: DeliveryTerms },
): Instruction {
  if (groupId === 0 || groupId > GROUP_ID_MAX) {
    throw new RangeError(`the group id must be from 1 to ${GROUP_ID_MAX}, not ${groupId}`);
  }
  const fields = { amount, groupId, ...terms };
  const { receiptPermission } = accounts;
  return receiptPermission === null
    ? encode(QUEUE_TABLE.queueTransfer, accounts, fields)
    : encode(QUEUE_TABLE.queueTransferWithPermission, { ...accounts, receiptPermission }, fields);
}
