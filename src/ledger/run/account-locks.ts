import type { Address } from '../../solana/address.ts';

/**
 * Most accounts a transaction may name while the feature {@link MORE_ACCOUNT_LOCKS} is inactive, as on
 * mainnet.
 */
export const ACCOUNT_LOCKS_MAX = 64;

/** Agave `MAX_TX_ACCOUNT_LOCKS`. */
const MORE_ACCOUNT_LOCKS_MAX = 128;

/** The feature `increase_tx_account_lock_limit`. */
export const MORE_ACCOUNT_LOCKS = '9LZdXeKGeBV6hRLdxS1rHbHoEUsKqesCC2ZAPTPKJAbK' as Address;

/** The most accounts a transaction may name (Agave `get_transaction_account_lock_limit`). */
export function accountLocksMax(features: ReadonlySet<Address>, chosen: number | undefined): number {
  return chosen ?? (features.has(MORE_ACCOUNT_LOCKS) ? MORE_ACCOUNT_LOCKS_MAX : ACCOUNT_LOCKS_MAX);
}
