import type { Account } from '../solana/account.ts';
import { viewOf } from '../solana/view-of.ts';
import { SYSVAR_OWNER } from './addresses.ts';

/** Bytes of the clock: slot u64, start of the epoch i64, epoch u64, leader schedule epoch u64, time i64 (Agave `Clock`). */
const CLOCK_BYTES = 40;
const EPOCH_AT = 16;
const UNIX_TIMESTAMP_AT = 32;

/** A point in a ledger's time. */
export interface ClockTime {
  readonly epoch: bigint;
  /** s since the Unix epoch. */
  readonly unixTimestamp: bigint;
}

/** The time a ledger tells; null when the account is not its clock. */
export function decodeClockTime(account: Account | null): ClockTime | null {
  if (account === null || account.owner !== SYSVAR_OWNER || account.data.length < CLOCK_BYTES) return null;
  const { data } = account;
  const view = viewOf(data);
  return {
    epoch: view.getBigUint64(EPOCH_AT, true),
    unixTimestamp: view.getBigInt64(UNIX_TIMESTAMP_AT, true),
  };
}

/** The epoch a ledger is in; null when the account is not its clock. */
export function decodeEpoch(account: Account | null): bigint | null {
  return decodeClockTime(account)?.epoch ?? null;
}
