import { addressOf, type Address } from '../../../solana/address.ts';
import { viewOf } from '../../../solana/view-of.ts';

const HEADER_BYTES = 96;
const ITEM_BYTES = 96;
const VERSION = 1;

/** Bit of an item's flags: the destination's ATA is created before it is paid. */
const CREATE_DESTINATION_ATA = 1;

/** Transfers a queue holds unless more were asked for (default of the ephemeral SPL token program). */
export const QUEUE_ITEMS_DEFAULT = 100;

/** Bytes of the account of a queue that holds `items` transfers. */
export function transferQueueBytes(items: number): number {
  return HEADER_BYTES + items * ITEM_BYTES;
}

/** One part of a payment that waits to be paid out on base. */
interface QueuedTransfer {
  readonly sourceOwner: Address;
  readonly destinationOwner: Address;
  /** Base units. */
  readonly amount: bigint;
  /** When it is due, ms since the Unix epoch. */
  readonly readyAtMs: bigint;
  /** 0 stands for none: the queue does not tell them apart. */
  readonly clientRefId: bigint;
  readonly taskId: number;
  readonly createsDestinationAta: boolean;
  /** Which payment it is a part of; 0 for none. */
  readonly groupId: number;
}

/** The queue of delayed transfers of a mint on one validator. */
interface TransferQueue {
  readonly bump: number;
  readonly mint: Address;
  readonly validator: Address;
  readonly nextGroupId: number;
  readonly nextTaskId: number;
  /** The scheduled task that pays, null while there is none. */
  readonly crankTaskId: bigint | null;
  /** How many transfers the account has room for. */
  readonly capacity: number;
  /** Those that wait, as a binary min-heap: the first is the next to be paid, the others are in no order. */
  readonly transfers: readonly QueuedTransfer[];
}

/**
 * The transfer queue in an account's data (`TransferQueueHeader`, then `QueuedTransfer` items of 96 bytes each), null
 * when it is none: too short, another version, or more transfers than there is room for.
 */
export function decodeTransferQueue(data: Uint8Array): TransferQueue | null {
  if (data.length < HEADER_BYTES || data[0] !== VERSION) return null;
  const view = viewOf(data);
  const length = view.getUint32(40, true);
  const capacity = Math.floor((data.length - HEADER_BYTES) / ITEM_BYTES);
  if (length > capacity) return null;
  const crankTaskId = view.getBigInt64(56, true);
  return {
    bump: data[1] as number,
    mint: addressOf(data.subarray(8, 40)),
    validator: addressOf(data.subarray(64, 96)),
    nextGroupId: view.getUint32(44, true),
    nextTaskId: view.getUint32(52, true),
    crankTaskId: crankTaskId === 0n ? null : crankTaskId,
    capacity,
    transfers: Array.from({ length }, (_, index) => {
      const at = HEADER_BYTES + index * ITEM_BYTES;
      return decodeItem(data.subarray(at, at + ITEM_BYTES));
    }),
  };
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
    groupId: view.getUint16(93, true) | (view.getUint8(95) << 16),
  };
}
