import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { encode, type AccountsOf } from '../../instruction-table/encode.ts';
import type { DeliveryTerms } from '../../private-transfer/delivery-terms.ts';
import { QUEUE_TABLE } from '../table/queue.ts';

/** The highest group id: it is stored in 24 bits, and 0 means none. */
export const GROUP_ID_MAX = 0xff_ffff;

/**
 * Tag 12: creates the transfer queue of a mint on a validator, with its permission, eATA and ATA.
 * `eataDelegation` is that of the queue's eATA.
 *
 * @param requestedItems the capacity in transfers; null for the program's default of 100.
 */
export const initTransferQueue = (
  accounts: AccountsOf<typeof QUEUE_TABLE.initTransferQueue>,
  requestedItems: number | null,
): Instruction => encode(QUEUE_TABLE.initTransferQueue, accounts, { requestedItems });

/**
 * Tag 16, sent to the rollup: takes `amount` from the owner's ATA and queues it for the destination on base.
 *
 * @param receiptPermission null for the form of the MagicBlock SDK 0.15 (12 accounts). The hosted API passes
 *   it, so that nobody else can read the receipt (14 accounts).
 * @throws {RangeError} if `groupId` is not 1 to {@link GROUP_ID_MAX}.
 */
export function queueTransfer(
  accounts: AccountsOf<typeof QUEUE_TABLE.queueTransfer> & { readonly receiptPermission: Address | null },
  { amount, groupId, terms }: { amount: bigint; groupId: number; terms: DeliveryTerms },
): Instruction {
  if (groupId === 0 || groupId > GROUP_ID_MAX) {
    throw new RangeError(`${groupId} is not a group id from 1 to ${GROUP_ID_MAX}`);
  }
  const fields = { amount, groupId, ...terms };
  const { receiptPermission } = accounts;
  return receiptPermission === null
    ? encode(QUEUE_TABLE.queueTransfer, accounts, fields)
    : encode(QUEUE_TABLE.queueTransferWithPermission, { ...accounts, receiptPermission }, fields);
}

/** Tag 17, sent to the rollup: reschedules the task that pays out the queue. Anyone may send it. */
export const ensureTransferQueueCrank = (
  accounts: AccountsOf<typeof QUEUE_TABLE.ensureTransferQueueCrank>,
): Instruction => encode(QUEUE_TABLE.ensureTransferQueueCrank, accounts);

/** Tag 19: delegates the queue to its validator. `delegation` is that of the queue. */
export const delegateTransferQueue = (
  accounts: AccountsOf<typeof QUEUE_TABLE.delegateTransferQueue>,
): Instruction => encode(QUEUE_TABLE.delegateTransferQueue, accounts);

/**
 * Tag 27: grows the queue's account by as many items as its lamports pay for, at most 10,240 bytes per call.
 */
export const allocateTransferQueue = (queue: Address): Instruction =>
  encode(QUEUE_TABLE.allocateTransferQueue, { queue });

/**
 * Tag 28: executes a pending refill of the queue's lamports from the rent PDA. `lamportsPda` is derived from
 * the rent PDA, the queue, and the queue's bytes as salt; `delegation` is that of `lamportsPda`,
 * `queueRecord` that of the queue.
 */
export const refillTransferQueue = (
  accounts: AccountsOf<typeof QUEUE_TABLE.refillTransferQueue>,
): Instruction => encode(QUEUE_TABLE.refillTransferQueue, accounts);
