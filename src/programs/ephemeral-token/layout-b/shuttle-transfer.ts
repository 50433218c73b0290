import { addressBytes, type Address } from '../../../solana/address.ts';
import {
  readonly,
  signer,
  writable,
  writableSigner,
  type AccountMeta,
  type Instruction,
} from '../../../solana/instruction.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../addresses.ts';
import { trailing, u32, u64, u8 } from '../../instruction-data.ts';
import type { SealedTransfer } from '../../private-transfer/seal-transfer.ts';
import type { DelegationAccounts } from '../layout-a.ts';
import { call, delegationMetas, TAG, type ShuttleAccounts } from './call.ts';

/**
 * The instructions that move an owner's tokens by a shuttle made, filled and delegated on the spot. The rent PDA pays
 * the shuttle's rent, the payer a flat fee into it. A `shuttleId` that is already delegated moves nothing and fails
 * nothing, so it must be fresh for owner and mint.
 */

/** What all of them name. `delegation` belongs to the shuttle's eATA. */
export interface ShuttleTransferAccounts {
  readonly payer: Address;
  readonly rentPda: Address;
  readonly shuttle: ShuttleAccounts;
  readonly delegation: DelegationAccounts;
  readonly owner: Address;
  readonly ownerAta: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** Where tokens are kept that enter the rollup. */
export interface VaultAccounts {
  readonly vault: Address;
  readonly vaultAta: Address;
}

/** Tag 24: deposits `amount` from the owner's ATA; on the rollup it arrives in `destinationAta`. */
export function depositByShuttle(
  accounts: ShuttleTransferAccounts & VaultAccounts & { readonly destinationAta: Address },
  transfer: { shuttleId: number; amount: bigint; validator: Address | null },
): Instruction {
  return call(
    TAG.depositByShuttle,
    [
      ...shuttleMetas(accounts),
      writable(accounts.destinationAta),
      readonly(accounts.mint),
      readonly(accounts.tokenProgram),
      readonly(accounts.vault),
      writable(accounts.ownerAta),
      writable(accounts.vaultAta),
    ],
    u32(transfer.shuttleId),
    u64(transfer.amount),
    trailing(transfer.validator),
  );
}

/** What a private transfer from base to base shows and what it hides. */
export interface ShuttlePayment {
  readonly shuttleId: number;
  readonly amount: bigint;
  /** Whether the destination gets `amount` and the fee comes on top, rather than out of it. */
  readonly exactOut: boolean;
  readonly sealed: SealedTransfer;
}

/**
 * Tag 25: pays `amount` from the owner's ATA to a destination that only the validator can read, by the transfer queue
 * of mint and validator.
 */
export function transferByShuttle(
  accounts: ShuttleTransferAccounts & VaultAccounts & { readonly queue: Address },
  { shuttleId, amount, exactOut, sealed }: ShuttlePayment,
): Instruction {
  return call(
    TAG.transferByShuttle,
    [
      ...shuttleMetas(accounts),
      readonly(accounts.mint),
      readonly(accounts.tokenProgram),
      readonly(accounts.vault),
      writable(accounts.ownerAta),
      writable(accounts.vaultAta),
      writable(accounts.queue),
    ],
    u32(shuttleId),
    u64(amount),
    u8(exactOut ? 1 : 0),
    sealed.destination,
    // An option that is always given: the boxes are sealed for this validator and no other.
    u8(1),
    addressBytes(sealed.validator),
    u8(sealed.terms.length),
    sealed.terms,
  );
}

/** Tag 26: takes `amount` out of the owner's delegated eATA and brings it to the owner's ATA. */
export function withdrawByShuttle(
  accounts: ShuttleTransferAccounts,
  transfer: { shuttleId: number; amount: bigint; validator: Address | null },
): Instruction {
  return call(
    TAG.withdrawByShuttle,
    [
      ...shuttleMetas(accounts),
      writable(accounts.ownerAta),
      readonly(accounts.mint),
      readonly(accounts.tokenProgram),
    ],
    u32(transfer.shuttleId),
    u64(transfer.amount),
    trailing(transfer.validator),
  );
}

function shuttleMetas(accounts: ShuttleTransferAccounts): AccountMeta[] {
  return [
    writableSigner(accounts.payer),
    writable(accounts.rentPda),
    writable(accounts.shuttle.metadata),
    writable(accounts.shuttle.eata),
    writable(accounts.shuttle.walletAta),
    signer(accounts.owner),
    ...delegationMetas(accounts.delegation),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
  ];
}
