import type { Account } from '../solana/account.ts';
import { Rent } from '../solana/rent.ts';
import { viewOf } from '../solana/view-of.ts';
import { SYSVAR_OWNER } from './addresses.ts';

/** Size of the Rent sysvar, bytes: lamports per byte u64, threshold f64, burnt part u8 (Agave `Rent`). */
const RENT_BYTES = 17;
const THRESHOLD_AT = 8;

/** The rent of a ledger; null if the account is not its Rent sysvar. */
export function decodeRent(account: Account | null): Rent | null {
  if (account === null || account.owner !== SYSVAR_OWNER || account.data.length < RENT_BYTES) return null;
  const view = viewOf(account.data);
  const threshold = view.getFloat64(THRESHOLD_AT, true);
  return threshold > 0 && threshold <= 100 ? new Rent(view.getBigUint64(0, true), threshold) : null;
}
