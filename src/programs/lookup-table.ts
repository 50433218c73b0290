import { addressOf, type Address } from '../solana/address.ts';
import { viewOf } from '../solana/view-of.ts';

const TABLE_TAG = 1;
/** Bytes of a table without addresses (`LOOKUP_TABLE_META_SIZE`). */
export const EMPTY_TABLE_BYTES = 56;
const NEVER = 0xffff_ffff_ffff_ffffn;

/** Most addresses in a table: an index is one byte (Agave `LOOKUP_TABLE_MAX_ADDRESSES`). */
export const LOOKUP_TABLE_ADDRESSES_MAX = 256;

/** A list of addresses that v0 transactions refer to by one byte each. */
export interface LookupTableState {
  /** The slot of deactivation; null while the table is active. */
  readonly deactivationSlot: bigint | null;
  /** Addresses from `lastExtendedFrom` on were added in that slot and can be used after it. */
  readonly lastExtendedSlot: bigint;
  readonly lastExtendedFrom: number;
  /** May add addresses; null if the table is frozen. */
  readonly authority: Address | null;
  readonly addresses: readonly Address[];
}

/**
 * Decodes a lookup table; null for other bytes. Layout: `LookupTableMeta` of
 * `solana-address-lookup-table-interface` (tag u32, deactivation slot u64, last extended slot u64, its first
 * index u8, authority Option<32>, padding up to 56), then the addresses.
 */
export function decodeLookupTable(data: Uint8Array): LookupTableState | null {
  const addressCount = (data.length - EMPTY_TABLE_BYTES) / 32;
  if (!Number.isInteger(addressCount) || addressCount < 0 || addressCount > LOOKUP_TABLE_ADDRESSES_MAX) {
    return null;
  }
  const view = viewOf(data);
  const authorityTag = view.getUint8(21);
  if (view.getUint32(0, true) !== TABLE_TAG || authorityTag > 1) return null;
  const deactivationSlot = view.getBigUint64(4, true);
  return {
    // u64::MAX marks an active table.
    deactivationSlot: deactivationSlot === NEVER ? null : deactivationSlot,
    lastExtendedSlot: view.getBigUint64(12, true),
    lastExtendedFrom: view.getUint8(20),
    authority: authorityTag === 1 ? addressOf(data.subarray(22, 54)) : null,
    addresses: Array.from({ length: addressCount }, (_, index) => {
      const at = EMPTY_TABLE_BYTES + index * 32;
      return addressOf(data.subarray(at, at + 32));
    }),
  };
}
