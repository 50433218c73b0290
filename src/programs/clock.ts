import type { Account } from '../solana/account.ts';
import { viewOf } from '../solana/view-of.ts';
import { SYSVAR_OWNER } from './addresses.ts';

/**
 * Size of the clock, bytes: slot u64, epoch start i64, epoch u64, leader schedule epoch u64, time i64 (Agave
 * `Clock`).
 */
const CLOCK_BYTES = 40;
const EPOCH_AT = 16;
const UNIX_TIMESTAMP_AT = 32;

/** A point in a ledger's time. */
export interface ClockTime {
  readonly epoch: bigint;
  /** Unix seconds. */
  readonly unixTimestamp: bigint;
}

/** The current time of a ledger; null if the account is not its clock. */
export function decodeClockTime(account: Account | null): ClockTime | null {
  if (account === null || account.owner !== SYSVAR_OWNER || account.data.length < CLOCK_BYTES) return null;
  const { data } = account;
  const view = viewOf(data);
  return {
    epoch: view.getBigUint64(EPOCH_AT, true),
    unixTimestamp: view.getBigInt64(UNIX_TIMESTAMP_AT, true),
  };
}

/** The current epoch of a ledger; null if the account is not its clock. */
export function decodeEpoch(account: Account | null): bigint | null {
  return decodeClockTime(account)?.epoch ?? null;
}
