import type { Account } from '../solana/account.ts';
import { Rent } from '../solana/rent.ts';
import { viewOf } from '../solana/view-of.ts';
import type { Address } from '../solana/address.ts';
import { SYSVAR_OWNER } from './addresses.ts';
import { RENT_SYSVAR } from './sysvars.ts';

/** Size of the Rent sysvar, bytes: lamports per byte u64, threshold f64, burnt part u8 (Agave `Rent`). */
const RENT_BYTES = 17;
const THRESHOLD_AT = 8;
const BURNT_AT = 16;

/** The Rent sysvar with a threshold of 1; half of a rent that is charged would be burnt, as in Agave. */
export function rentSysvarData(lamportsPerByte: bigint): Uint8Array {
  const data = new Uint8Array(RENT_BYTES);
  const view = viewOf(data);
  view.setBigUint64(0, lamportsPerByte, true);
  view.setFloat64(THRESHOLD_AT, 1, true);
  data[BURNT_AT] = 50;
  return data;
}

/**
 * The rent of a ledger of this process.
 *
 * @throws {Error} if it has no Rent sysvar, which every ledger begins with.
 */
export function rentOf(ledger: { getAccount(address: Address): Account | null }): Rent {
  const rent = decodeRent(ledger.getAccount(RENT_SYSVAR));
  if (rent === null) throw new Error('the ledger has no Rent sysvar');
  return rent;
}

/** The rent of a ledger; null if the account is not its Rent sysvar. */
export function decodeRent(account: Account | null): Rent | null {
  if (account === null || account.owner !== SYSVAR_OWNER || account.data.length < RENT_BYTES) return null;
  const view = viewOf(account.data);
  const threshold = view.getFloat64(THRESHOLD_AT, true);
  return threshold > 0 && threshold <= 100 ? new Rent(view.getBigUint64(0, true), threshold) : null;
}
