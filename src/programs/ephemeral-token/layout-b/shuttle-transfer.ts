import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { encode, type AccountsOf } from '../../instruction-table/encode.ts';
import { sealedFields, type SealedTransfer } from '../../private-transfer/seal-transfer.ts';
import { SHUTTLE_TABLE } from '../table/shuttle.ts';

/**
 * Instructions that create, fill and delegate a shuttle in one go to move an owner's tokens. The rent PDA
 * pays the shuttle's rent, and the payer pays the rent PDA a flat fee. With a `shuttleId` that is already
 * delegated they move nothing and do not fail, so it must be fresh for owner and mint. `delegation` is that
 * of the shuttle's eATA.
 */

/** Tag 24: deposits `amount` from the owner's ATA; on the rollup it arrives in `destinationAta`. */
export const depositByShuttle = (
  accounts: AccountsOf<typeof SHUTTLE_TABLE.depositByShuttle>,
  transfer: { shuttleId: number; amount: bigint; validator: Address | null },
): Instruction => encode(SHUTTLE_TABLE.depositByShuttle, accounts, transfer);

/** The public and the sealed parts of a private base-to-base transfer. */
interface ShuttlePayment {
  readonly shuttleId: number;
  readonly amount: bigint;
  /** Whether the destination gets exactly `amount` and the fee is added, instead of deducted. */
  readonly exactOut: boolean;
  readonly sealed: SealedTransfer;
}

/**
 * Tag 25: pays `amount` from the owner's ATA, through the transfer queue of mint and validator, to a
 * destination that only the validator can read.
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

/** Tag 26: withdraws `amount` from the owner's delegated eATA to the owner's ATA. */
export const withdrawByShuttle = (
  accounts: AccountsOf<typeof SHUTTLE_TABLE.withdrawByShuttle>,
  transfer: { shuttleId: number; amount: bigint; validator: Address | null },
): Instruction => encode(SHUTTLE_TABLE.withdrawByShuttle, accounts, transfer);
