import { type Address, addressOf } from '../../../solana/address.ts';
import { viewOf } from '../../../solana/byte-reader.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { type AccountsOf, encode } from '../../instruction-table/encode.ts';
import { sealedFields, type SealedTransfer } from '../../private-transfer/seal-transfer.ts';
import { SHUTTLE_TABLE } from '../table/shuttle.ts';

/** The accounts of a shuttle, a one-way carrier of tokens: its metadata, its eATA and its ATA. */
export interface ShuttleAccounts {
  readonly metadata: Address;
  readonly eata: Address;
  readonly walletAta: Address;
}

/** Size of a shuttle's metadata (`ShuttleMetadata::LEN` of the ephemeral SPL token program), in bytes. */
export const SHUTTLE_METADATA_BYTES = 72;

/** A one-way carrier of an owner's tokens. Its eATA and ATA are ordinary accounts that it owns. */
interface Shuttle {
  readonly owner: Address;
  /** The account that receives the rent on closing: the rent PDA unless `initShuttle` created the shuttle. */
  readonly rentRefund: Address;
  readonly id: number;
  readonly bump: number;
}

/** Decodes a shuttle (owner 32, rent refund 32, id u32, bump u8, 3 zeros); null for any other length. */
export function decodeShuttle(data: Uint8Array): Shuttle | null {
  if (data.length !== SHUTTLE_METADATA_BYTES) return null;
  return {
    owner: addressOf(data.subarray(0, 32)),
    rentRefund: addressOf(data.subarray(32, 64)),
    id: viewOf(data).getUint32(64, true),
    bump: data[68] as number,
  };
}

/** The public and sealed parts of a private base-to-base transfer. */
interface ShuttlePayment {
  readonly shuttleId: number;
  readonly amount: bigint;
  /** Whether the destination gets exactly `amount`. The fee is then added instead of deducted. */
  readonly exactOut: boolean;
  readonly sealed: SealedTransfer;
}

/**
 * Pays `amount` (tag 25) from the owner's ATA to a destination that only the validator can read. The payment
 * goes through the transfer queue of the mint and validator.
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
