import { addressOf, type Address } from '../../solana/address.ts';
import { VAULT_BYTES_B } from './layout-b/account-sizes.ts';
import { deriveVault } from './pdas.ts';
import { VAULT_BYTES_A } from './state.ts';

/** The account that the deposits of a mint belong to. */
interface Vault {
  readonly mint: Address;
  /** The token account that has them; null on layout A, where the vault does not name it. */
  readonly tokenAccount: Address | null;
}

/**
 * Decodes a vault (mint 32; on layout B its token account 32 and the bump). Null for other bytes, also for
 * those of a vault at another address than its own: nothing in them says what they are.
 */
export function decodeVault(address: Address, data: Uint8Array): Vault | null {
  const isLayoutB = data.length === VAULT_BYTES_B;
  if (!isLayoutB && data.length !== VAULT_BYTES_A) return null;
  const mint = addressOf(data.subarray(0, 32));
  if (deriveVault(mint).address !== address) return null;
  return { mint, tokenAccount: isLayoutB ? addressOf(data.subarray(32, 64)) : null };
}
