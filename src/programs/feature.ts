import { type Account, RENT_EXEMPT_EPOCH, rentExemptMinimum } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';

/** The owner of the accounts that record which runtime features are active (`solana_sdk_ids::feature`). */
export const FEATURE_PROGRAM = 'Feature111111111111111111111111111111111111' as Address;

/** Size of a feature's account, in bytes: `Feature { activated_at: Option<u64> }`, tag u8 and slot. */
const FEATURE_BYTES = 9;

/** Whether a feature account marks its feature as active. */
export function isActiveFeature({ owner, data }: Account): boolean {
  return owner === FEATURE_PROGRAM && data.length >= FEATURE_BYTES && data[0] === 1;
}

/** Builds the account of an inactive feature. */
export function inactiveFeature(): Account {
  return {
    lamports: rentExemptMinimum(FEATURE_BYTES),
    owner: FEATURE_PROGRAM,
    data: new Uint8Array(FEATURE_BYTES),
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

/** Returns the addresses of active features among `accounts`. */
export function activeFeatures(accounts: Iterable<readonly [Address, Account]>): Set<Address> {
  const active = new Set<Address>();
  for (const [address, account] of accounts) if (isActiveFeature(account)) active.add(address);
  return active;
}
