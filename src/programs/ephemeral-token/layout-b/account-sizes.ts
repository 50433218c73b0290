/** Bytes of accounts that nothing but their rent is needed of. */

/** A vault: mint 32, vault's ATA 32, bump u8. */
export const VAULT_BYTES_B = 65;

const RECEIPT_HEADER_BYTES = 24;
const RECEIPT_ITEM_BYTES = 80;

/** The receipt of a transfer paid in `split` parts; it exists on the rollup only. */
export function groupReceiptBytes(split: number): number {
  return RECEIPT_HEADER_BYTES + split * RECEIPT_ITEM_BYTES;
}
