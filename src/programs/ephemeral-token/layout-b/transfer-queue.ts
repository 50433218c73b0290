import type { Address } from '../../../solana/address.ts';
import { readonly, signer, writable, writableSigner, type Instruction } from '../../../solana/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MAGIC_CONTEXT,
  MAGIC_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../addresses.ts';
import { u32, u64 } from '../../instruction-data.ts';
import { encodeDeliveryTerms, type DeliveryTerms } from '../../private-transfer/delivery-terms.ts';
import type { DelegationAccounts } from '../layout-a.ts';
import { call, delegationMetas, TAG } from './call.ts';

/** The Magic program's ephemeral vault, with which accounts are made that exist on the rollup only. */
export const EPHEMERAL_VAULT = 'MagicVau1t999999999999999999999999999999999' as Address;

/** The highest group id: it is kept in 24 bits, and 0 means none. */
export const GROUP_ID_MAX = 0xff_ffff;

/**
 * Tag 12: creates the transfer queue of a mint on a validator with its permission, eATA and ATA. `requestedItems` is
 * how many transfers it is to hold, null for the program's 100. `eataDelegation` belongs to the queue's eATA.
 */
export function initTransferQueue(
  accounts: {
    payer: Address;
    queue: Address;
    queuePermission: Address;
    queueEata: Address;
    queueAta: Address;
    eataDelegation: DelegationAccounts;
    mint: Address;
    validator: Address;
    tokenProgram: Address;
  },
  requestedItems: number | null,
): Instruction {
  return call(
    TAG.initTransferQueue,
    [
      writableSigner(accounts.payer),
      writable(accounts.queue),
      writable(accounts.queuePermission),
      readonly(accounts.mint),
      readonly(accounts.validator),
      readonly(SYSTEM_PROGRAM),
      readonly(PERMISSION_PROGRAM),
      writable(accounts.queueEata),
      writable(accounts.queueAta),
      readonly(accounts.tokenProgram),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
      ...delegationMetas(accounts.eataDelegation),
    ],
    ...(requestedItems === null ? [] : [u32(requestedItems)]),
  );
}

/**
 * Tag 16, sent to the rollup: takes `amount` from the owner's ATA and queues it for the destination on base.
 * `receiptPermission` is null for the form of the MagicBlock SDK 0.15 (12 accounts); the hosted API names it, so that
 * nobody else can read the receipt (14 accounts).
 *
 * @throws {RangeError} when `groupId` is not 1 to {@link GROUP_ID_MAX}.
 */
export function queueTransfer(
  accounts: {
    queue: Address;
    queueAta: Address;
    mint: Address;
    owner: Address;
    ownerAta: Address;
    destinationOwner: Address;
    tokenProgram: Address;
    receipt: Address;
    receiptPermission: Address | null;
  },
  transfer: { amount: bigint; groupId: number; terms: DeliveryTerms },
): Instruction {
  const metas = [
    writable(accounts.queue),
    readonly(accounts.queue),
    readonly(accounts.mint),
    writable(accounts.ownerAta),
    writable(accounts.queueAta),
    readonly(accounts.destinationOwner),
    signer(accounts.owner),
    readonly(accounts.tokenProgram),
    writable(accounts.ownerAta),
    writable(accounts.receipt),
    writable(EPHEMERAL_VAULT),
    readonly(MAGIC_PROGRAM),
  ];
  if (accounts.receiptPermission !== null) {
    metas.push(writable(accounts.receiptPermission), readonly(PERMISSION_PROGRAM));
  }
  return call(
    TAG.queueTransfer,
    metas,
    u64(transfer.amount),
    groupIdBytes(transfer.groupId),
    encodeDeliveryTerms(transfer.terms),
  );
}

function groupIdBytes(groupId: number): Uint8Array {
  if (groupId === 0 || groupId > GROUP_ID_MAX) {
    throw new RangeError(`${groupId} is not a group id from 1 to ${GROUP_ID_MAX}`);
  }
  return u32(groupId).subarray(0, 3);
}

/** Tag 17, sent to the rollup: schedules the task anew that pays out of the queue. Anybody may send it. */
export function ensureTransferQueueCrank(accounts: {
  payer: Address;
  queue: Address;
  magicFeeVault: Address;
}): Instruction {
  return call(TAG.ensureTransferQueueCrank, [
    writableSigner(accounts.payer),
    writable(accounts.queue),
    writable(accounts.magicFeeVault),
    writable(MAGIC_CONTEXT),
    readonly(MAGIC_PROGRAM),
  ]);
}

/** Tag 19: hands the queue over to its validator. `delegation` belongs to the queue. */
export function delegateTransferQueue(accounts: {
  payer: Address;
  queue: Address;
  mint: Address;
  delegation: DelegationAccounts;
}): Instruction {
  return call(TAG.delegateTransferQueue, [
    writableSigner(accounts.payer),
    writable(accounts.queue),
    readonly(accounts.mint),
    ...delegationMetas(accounts.delegation),
    readonly(SYSTEM_PROGRAM),
  ]);
}

/** Tag 27: lets the queue's account grow by as many items as its lamports pay for, at most 10,240 bytes a call. */
export function allocateTransferQueue(queue: Address): Instruction {
  return call(TAG.allocateTransferQueue, [writable(queue), readonly(SYSTEM_PROGRAM)]);
}

/**
 * Tag 28: carries out a pending refill of the queue's lamports from the rent PDA. `lamportsPda` is that of the rent
 * PDA, the queue and the queue's bytes as salt; `delegation` belongs to it, `queueRecord` to the queue.
 */
export function refillTransferQueue(accounts: {
  refillState: Address;
  queue: Address;
  rentPda: Address;
  lamportsPda: Address;
  delegation: DelegationAccounts;
  queueRecord: Address;
}): Instruction {
  return call(TAG.refillTransferQueue, [
    writable(accounts.refillState),
    writable(accounts.queue),
    writable(accounts.rentPda),
    writable(accounts.lamportsPda),
    ...delegationMetas(accounts.delegation),
    readonly(SYSTEM_PROGRAM),
    readonly(accounts.queueRecord),
  ]);
}
