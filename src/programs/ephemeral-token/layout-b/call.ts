import type { Address } from '../../../solana/address.ts';
import { readonly, writable, type AccountMeta, type Instruction } from '../../../solana/instruction.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../addresses.ts';
import { concat, u8 } from '../../instruction-data.ts';
import type { DelegationAccounts } from '../layout-a.ts';

/**
 * Instructions of the ephemeral SPL token program as deployed on mainnet and devnet since May 2026 ("layout B"). The
 * first byte names the instruction; the program finds bumps itself. Amounts are u64 base units, little-endian.
 */
export const TAG = {
  initEata: 0,
  initVault: 1,
  deposit: 2,
  withdraw: 3,
  delegateEata: 4,
  undelegateEata: 5,
  createPermission: 6,
  delegatePermission: 7,
  undelegatePermission: 8,
  resetPermission: 9,
  initShuttle: 11,
  initTransferQueue: 12,
  delegateShuttle: 13,
  undelegateAndCloseShuttle: 14,
  mergeShuttle: 15,
  queueTransfer: 16,
  ensureTransferQueueCrank: 17,
  delegateTransferQueue: 19,
  sponsorLamportsTransfer: 20,
  updateStealthPool: 21,
  delegateStealthPool: 22,
  initRentPda: 23,
  depositByShuttle: 24,
  transferByShuttle: 25,
  withdrawByShuttle: 26,
  allocateTransferQueue: 27,
  refillTransferQueue: 28,
  scheduleSwapTransfer: 29,
} as const;

/** A call of the program: the tag, then the fields. */
export function call(tag: number, accounts: AccountMeta[], ...fields: Uint8Array[]): Instruction {
  return { programId: EPHEMERAL_TOKEN_PROGRAM, accounts, data: concat(u8(tag), ...fields) };
}

/** The five accounts the program delegates one of its own accounts through, in the order all its instructions have. */
export function delegationMetas(delegation: DelegationAccounts): AccountMeta[] {
  return [
    readonly(EPHEMERAL_TOKEN_PROGRAM),
    writable(delegation.buffer),
    writable(delegation.record),
    writable(delegation.metadata),
    readonly(DELEGATION_PROGRAM),
  ];
}

/** The accounts of a shuttle, a one-way carrier of an owner's tokens: its metadata, its eATA and its ATA. */
export interface ShuttleAccounts {
  readonly metadata: Address;
  readonly eata: Address;
  readonly walletAta: Address;
}
