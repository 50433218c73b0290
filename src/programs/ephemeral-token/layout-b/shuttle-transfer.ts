import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { encode, type AccountsOf } from '../../instruction-table/encode.ts';
import { sealedFields, type SealedTransfer } from '../../private-transfer/seal-transfer.ts';
import { SHUTTLE_TABLE } from '../table/shuttle.ts';

/**
 * The instructions that move an owner's tokens by a shuttle made, filled and delegated on the spot. The rent PDA pays
 * the shuttle's rent, the payer a flat fee into it. A `shuttleId` that is already delegated moves nothing and fails
 * nothing, so it must be fresh for owner and mint. `delegation` belongs to the shuttle's eATA.
 */

/** Tag 24: deposits `amount` from the owner's ATA; on the rollup it arrives in `destinationAta`. */
export const depositByShuttle = (
  accounts: AccountsOf<typeof SHUTTLE_TABLE.depositByShuttle>,
  transfer: { shuttleId: number; amount: bigint; validator: Address | null },
): Instruction => encode(SHUTTLE_TABLE.depositByShuttle, accounts, transfer);

/** What a private transfer from base to base shows and what it hides. */
interface ShuttlePayment {
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
export const transferByShuttle = (
  accounts: AccountsOf<typeof SHUTTLE_TABLE.transferByShuttle>,
  { shuttleId, amount, exactOut, sealed }: ShuttlePayment,
): Instruction =>
  encode(SHUTTLE_TABLE.transferByShuttle, accounts, {
    shuttleId,
    amount,
    exactOut: exactOut ? 1 : 0,
    ...sealedFields(sealed),
  });

/** Tag 26: takes `amount` out of the owner's delegated eATA and brings it to the owner's ATA. */
export const withdrawByShuttle = (
  accounts: AccountsOf<typeof SHUTTLE_TABLE.withdrawByShuttle>,
  transfer: { shuttleId: number; amount: bigint; validator: Address | null },
): Instruction => encode(SHUTTLE_TABLE.withdrawByShuttle, accounts, transfer);
