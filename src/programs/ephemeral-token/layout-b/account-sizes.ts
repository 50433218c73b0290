/** Size of a vault of layout B, bytes: mint 32, vault's ATA 32, bump u8. */
export const VAULT_BYTES_B = 65;
