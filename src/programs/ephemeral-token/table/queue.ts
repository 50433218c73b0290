import { readonly, signer, writable, writableSigner } from '../../instruction-table/account-spec.ts';
import {
  address,
  atEnd,
  bytes,
  paddedText,
  rest,
  u24,
  u32,
  u64,
  u8,
} from '../../instruction-table/field-codec.ts';
import { instructionTable } from '../../instruction-table/instruction-spec.ts';
import { DELIVERY_TERMS } from '../../private-transfer/seal-transfer.ts';
import { HANDLE_BYTES_MAX } from '../stealth-pool.ts';
import { delegatedThrough, EPHEMERAL_TOKEN } from './program.ts';

const queueTransferAccounts = [
  writable('queue'),
  // The queue is passed in place of the vault.
  readonly('vaultQueue', 'queue'),
  readonly('mint'),
  writable('ownerAta'),
  writable('queueAta'),
  readonly('destinationOwner'),
  signer('owner'),
  readonly('tokenProgram'),
  writable('ownerAta'),
  writable('receipt'),
  writable('ephemeralVault'),
  readonly('magicProgram'),
] as const;

const queueTransferFields = { amount: u64, groupId: u24, ...DELIVERY_TERMS } as const;

/** Tags 12, 16, 17, 19, 20, 23, 27 and 28 of layout B: transfer queues, and the lamports that fund them. */
export const QUEUE_TABLE = instructionTable(EPHEMERAL_TOKEN, {
  initTransferQueue: {
    tag: 12,
    accounts: [
      writableSigner('payer'),
      writable('queue'),
      writable('queuePermission'),
      readonly('mint'),
      readonly('validator'),
      readonly('systemProgram'),
      readonly('permissionProgram'),
      writable('queueEata'),
      writable('queueAta'),
      readonly('tokenProgram'),
      readonly('ataProgram'),
      ...delegatedThrough('queueEata', 'eataDelegation'),
    ],
    fields: { requestedItems: atEnd(u32) },
  },
  queueTransfer: { tag: 16, accounts: queueTransferAccounts, fields: queueTransferFields },
  /** Queues a transfer like `queueTransfer`, but with a private receipt. */
  queueTransferWithPermission: {
    tag: 16,
    name: 'queueTransfer',
    accounts: [...queueTransferAccounts, writable('receiptPermission'), readonly('permissionProgram')],
    fields: queueTransferFields,
  },
  /** Reschedules the task that pays out the queue. Anyone can send this to the rollup. */
  ensureTransferQueueCrank: {
    tag: 17,
    accounts: [
      writableSigner('payer'),
      writable('queue'),
      writable('magicFeeVault'),
      writable('magicContext'),
      readonly('magicProgram'),
    ],
  },
  delegateTransferQueue: {
    tag: 19,
    accounts: [
      writableSigner('payer'),
      writable('queue'),
      readonly('mint'),
      ...delegatedThrough('queue'),
      readonly('systemProgram'),
    ],
  },
  sponsorLamportsTransfer: {
    tag: 20,
    accounts: [
      writableSigner('payer'),
      writable('rentPda'),
      writable('lamportsPda'),
      ...delegatedThrough('lamportsPda'),
      readonly('systemProgram'),
      writable('destination'),
      readonly('destinationRecord'),
    ],
    fields: { lamports: u64, salt: bytes(32) },
  },
  initRentPda: {
    tag: 23,
    accounts: [writableSigner('payer'), writable('rentPda'), readonly('systemProgram')],
  },
  allocateTransferQueue: { tag: 27, accounts: [writable('queue'), readonly('systemProgram')] },
  refillTransferQueue: {
    tag: 28,
    accounts: [
      writable('refillState'),
      writable('queue'),
      writable('rentPda'),
      writable('refillPda', 'lamportsPda'),
      ...delegatedThrough('refillPda'),
      readonly('systemProgram'),
      readonly('queueRecord'),
    ],
  },
});

const handle = paddedText(HANDLE_BYTES_MAX);

/** Tags 21 and 22 of layout B: stealth pools. */
export const STEALTH_TABLE = instructionTable(EPHEMERAL_TOKEN, {
  updateStealthPool: {
    tag: 21,
    accounts: [writableSigner('payer'), writable('pool'), signer('authority'), readonly('systemProgram')],
    fields: { handle, flags: u8, destinationCount: u8, destinations: rest },
  },
  /** Creates a pool and its permission, and delegates it. Does nothing if the pool is already delegated. */
  delegateStealthPool: {
    tag: 22,
    accounts: [
      writableSigner('payer'),
      writable('pool'),
      writable('poolPermission', 'permission'),
      ...delegatedThrough('pool'),
      readonly('systemProgram'),
      readonly('permissionProgram'),
      signer('authority'),
    ],
    fields: { handle, validator: atEnd(address) },
  },
});
