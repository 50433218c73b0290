import { type Address, addressOf } from '../../solana/address.ts';
import { VAULT_BYTES_B } from './layout-b/eata.ts';
import { deriveVault } from './pdas.ts';
import { VAULT_BYTES_A } from './state.ts';

/** The account that holds the deposits of a mint. */
interface Vault {
  readonly mint: Address;
  /** Its token account; null on layout A, where the vault does not name it. */
  readonly tokenAccount: Address | null;
}

/**
 * Decodes a vault (mint 32; on layout B also its token account 32 and the bump). Null for other bytes, and
 * for those of a vault at an address that is not its own, because the bytes themselves do not identify a
 * vault.
 */
export function decodeVault(address: Address, data: Uint8Array): Vault | null {
  const isLayoutB = data.length === VAULT_BYTES_B;
  if (!isLayoutB && data.length !== VAULT_BYTES_A) return null;
  const mint = addressOf(data.subarray(0, 32));
  if (deriveVault(mint).address !== address) return null;
  return { mint, tokenAccount: isLayoutB ? addressOf(data.subarray(32, 64)) : null };
}
