import { addressOf, type Address } from '../../../solana/address.ts';
import { viewOf } from '../../../solana/view-of.ts';

/** Size of a shuttle's metadata (`ShuttleMetadata::LEN` of the ephemeral SPL token program), bytes. */
export const SHUTTLE_METADATA_BYTES = 72;

/**
 * A shuttle: a one-way carrier of an owner's tokens. Its eATA and ATA are ordinary ones owned by this
 * account.
 */
interface Shuttle {
  readonly owner: Address;
  /** Receives the rent on closing: the rent PDA, unless the shuttle was created on its own. */
  readonly rentRefund: Address;
  readonly id: number;
  readonly bump: number;
}

/** Decodes a shuttle (owner 32, rent refund 32, id u32, bump u8, 3 zeros); null for another length. */
export function decodeShuttle(data: Uint8Array): Shuttle | null {
  if (data.length !== SHUTTLE_METADATA_BYTES) return null;
  return {
    owner: addressOf(data.subarray(0, 32)),
    rentRefund: addressOf(data.subarray(32, 64)),
    id: viewOf(data).getUint32(64, true),
    bump: data[68] as number,
  };
}
