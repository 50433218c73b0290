import { addressOf, type Address } from '../../solana/address.ts';
import { viewOf } from '../../solana/view-of.ts';

/** Bytes of an eATA and of a vault on layout A. */
export const EATA_BYTES_A = 72;
export const VAULT_BYTES_A = 32;
/** Bytes of an eATA on layout B: the same, then the bump and seven zeros. */
export const EATA_BYTES_B = 80;

/** An eATA: what an owner has of a mint inside the vault. The bytes are the same while it is delegated. */
export interface Eata {
  readonly owner: Address;
  readonly mint: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** The eATA in an account's data (owner 32, mint 32, amount u64; either layout), null when the length is wrong. */
export function decodeEata(data: Uint8Array): Eata | null {
  if (data.length !== EATA_BYTES_A && data.length !== EATA_BYTES_B) return null;
  return {
    owner: addressOf(data.subarray(0, 32)),
    mint: addressOf(data.subarray(32, 64)),
    amount: viewOf(data).getBigUint64(64, true),
  };
}
