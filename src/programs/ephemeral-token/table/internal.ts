import { readonly, signer, writable } from '../../instruction-table/account-spec.ts';
import { bytes, prefixedBytes, rest, text, u32, u64, u8 } from '../../instruction-table/field-codec.ts';
import { instructionTable } from '../../instruction-table/instruction-spec.ts';
import { EPHEMERAL_TOKEN } from './program.ts';

/** The accounts that the delegation program appends to the accounts of a call requested on the rollup. */
const requester = [readonly('sourceProgram'), readonly('escrowAuthority'), signer('escrow')] as const;

/** The outcome of an action on base, which the validator reports on the rollup (`MagicResponse`, bincode). */
const outcome = {
  responseVersion: u32,
  succeeded: u8,
  payload: prefixedBytes,
  error: text,
  /** Borsh-like option: 0, or 1 and the 64 bytes of the signature on base. */
  receipt: rest,
} as const;

const payoutAccounts = [
  readonly('vault'),
  readonly('mint'),
  writable('vaultAta'),
  readonly('destinationOwner'),
  writable('destinationAta'),
  writable('rentPda'),
  readonly('tokenProgram'),
  readonly('ataProgram'),
  readonly('systemProgram'),
  ...requester,
] as const;

const payoutFields = { escrowIndex: u8, amount: u64, flags: u8 } as const;

/** Tags 201 to 209 of layout B: instructions that only the validator can run, on base or on the rollup. */
export const INTERNAL_TABLE = instructionTable(EPHEMERAL_TOKEN, {
  settleShuttle: {
    tag: 201,
    accounts: [
      writable('rentRefund'),
      writable('shuttle', 'shuttle.metadata'),
      writable('shuttleEata', 'shuttle.eata'),
      writable('shuttleAta', 'shuttle.walletAta'),
      writable('destinationAta'),
      readonly('mint'),
      readonly('vault'),
      writable('vaultAta'),
      readonly('tokenProgram'),
      ...requester,
    ],
    fields: { escrowIndex: u8 },
  },
  payQueued: { tag: 202, accounts: payoutAccounts, fields: payoutFields },
  payQueuedWithReference: {
    tag: 202,
    name: 'payQueued',
    accounts: payoutAccounts,
    fields: { ...payoutFields, clientRefId: u64 },
  },
  tickQueue: {
    tag: 203,
    accounts: [
      writable('queue'),
      writable('magicFeeVault'),
      writable('magicContext'),
      readonly('magicProgram'),
    ],
  },
  deliverLamports: {
    tag: 204,
    accounts: [signer('payer'), writable('lamportsPda'), writable('destination')],
    fields: { lamports: u64, salt: bytes(32) },
  },
  giveBackLamportsPda: {
    tag: 205,
    accounts: [
      signer('payer'),
      writable('rentPda'),
      writable('lamportsPda'),
      writable('destination'),
      writable('magicContext'),
      readonly('magicProgram'),
    ],
    fields: { salt: bytes(32) },
  },
  closeLamportsPda: {
    tag: 206,
    accounts: [
      writable('rentPda'),
      writable('lamportsPda'),
      readonly('payer'),
      readonly('destination'),
      ...requester,
    ],
    fields: { escrowIndex: u8, salt: bytes(32) },
  },
  markRefill: {
    tag: 207,
    accounts: [writable('rentPda'), writable('refillState'), readonly('systemProgram'), ...requester],
    fields: { escrowIndex: u8 },
  },
  recordPayout: {
    tag: 208,
    accounts: [
      signer('callbackSigner'),
      writable('receipt'),
      writable('queue'),
      readonly('vault'),
      readonly('mint'),
      writable('vaultAta'),
      readonly('sourceOwner'),
      writable('sourceAta'),
      readonly('tokenProgram'),
      writable('ephemeralVault'),
      writable('magicFeeVault'),
      readonly('magicProgram'),
      writable('magicContext'),
      writable('receiptPermission'),
      readonly('permissionProgram'),
    ],
    fields: outcome,
  },
  recordRefund: {
    tag: 209,
    accounts: [
      signer('callbackSigner'),
      readonly('refundOwner'),
      writable('queue'),
      writable('magicFeeVault'),
      writable('magicContext'),
      readonly('magicProgram'),
    ],
    fields: outcome,
  },
});
