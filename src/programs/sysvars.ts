import { type Account, Rent } from '../solana/account.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { viewOf } from '../solana/byte-reader.ts';
import { SYSVAR_OWNER } from './addresses.ts';

const at = (text: string): Address => text as Address;

/** Addresses of the sysvars (`solana-sdk-ids` `sysvar`). */

/** The sysvar with slot, epoch and time. */
export const CLOCK_SYSVAR = at('SysvarC1ock11111111111111111111111111111111');
export const EPOCH_REWARDS_SYSVAR = at('SysvarEpochRewards1111111111111111111111111');
/** The sysvar with the length of epochs. */
export const EPOCH_SCHEDULE_SYSVAR = at('SysvarEpochSchedu1e111111111111111111111111');
export const LAST_RESTART_SLOT_SYSVAR = at('SysvarLastRestartS1ot1111111111111111111111');
/** The newest blockhashes. The sysvar is deprecated, but durable nonces still need it. */
export const RECENT_BLOCKHASHES_SYSVAR = at('SysvarRecentB1ockHashes11111111111111111111');
export const RENT_SYSVAR = at('SysvarRent111111111111111111111111111111111');
/** The sysvar with the hashes of the slots before the current one. */
export const SLOT_HASHES_SYSVAR = at('SysvarS1otHashes111111111111111111111111111');
/** The sysvar with the stakes of past epochs. */
export const STAKE_HISTORY_SYSVAR = at('SysvarStakeHistory1111111111111111111111111');

/**
 * Size of the clock, in bytes: slot u64, epoch start i64, epoch u64, leader schedule epoch u64, time i64
 * (Agave `Clock`).
 */
const CLOCK_BYTES = 40;
const EPOCH_AT = 16;
const UNIX_TIMESTAMP_AT = 32;

/** The epoch and the time of a ledger. */
interface ClockTime {
  readonly epoch: bigint;
  /** The time, Unix seconds. */
  readonly unixTimestamp: bigint;
}

/** Decodes the current time of a ledger; null if the account is not its Clock sysvar. */
export function decodeClockTime(account: Account | null): ClockTime | null {
  if (account === null || account.owner !== SYSVAR_OWNER || account.data.length < CLOCK_BYTES) return null;
  const { data } = account;
  const view = viewOf(data);
  return {
    epoch: view.getBigUint64(EPOCH_AT, true),
    unixTimestamp: view.getBigInt64(UNIX_TIMESTAMP_AT, true),
  };
}

/** Decodes the current epoch of a ledger; null if the account is not its Clock sysvar. */
export function decodeEpoch(account: Account | null): bigint | null {
  return decodeClockTime(account)?.epoch ?? null;
}

/** Size of the Rent sysvar, in bytes: lamports per byte u64, threshold f64, burnt part u8 (Agave `Rent`). */
const RENT_BYTES = 17;
const THRESHOLD_AT = 8;
const BURNT_AT = 16;

/** Encodes the Rent sysvar with a threshold of 1 and a burn share of one half, as in Agave. */
export function rentSysvarData(lamportsPerByte: bigint): Uint8Array {
  const data = new Uint8Array(RENT_BYTES);
  const view = viewOf(data);
  view.setBigUint64(0, lamportsPerByte, true);
  view.setFloat64(THRESHOLD_AT, 1, true);
  data[BURNT_AT] = 50;
  return data;
}

/**
 * Returns the rent of a ledger in this process.
 *
 * @throws {Error} if the ledger has no Rent sysvar. Every ledger starts with one.
 */
export function rentOf(ledger: { getAccount(address: Address): Account | null }): Rent {
  const rent = decodeRent(ledger.getAccount(RENT_SYSVAR));
  if (rent === null) throw new Error('the ledger has no Rent sysvar');
  return rent;
}

/** Decodes the rent of a ledger; null if the account is not its Rent sysvar. */
export function decodeRent(account: Account | null): Rent | null {
  if (account === null || account.owner !== SYSVAR_OWNER || account.data.length < RENT_BYTES) return null;
  const view = viewOf(account.data);
  const threshold = view.getFloat64(THRESHOLD_AT, true);
  return threshold > 0 && threshold <= 100 ? new Rent(view.getBigUint64(0, true), threshold) : null;
}

/** Bytes of an entry: blockhash 32, lamports per signature u64. */
const RECENT_BYTES = 40;

/**
 * Lists the blockhashes in the RecentBlockhashes sysvar (Agave: u64 count, then up to 150 entries, newest
 * first); null if the account is not that sysvar. Each block has one blockhash, so an index is an age in
 * blocks.
 */
export function decodeRecentBlockhashes(account: Account | null): Address[] | null {
  if (account === null || account.owner !== SYSVAR_OWNER || account.data.length < 8) return null;
  const { data } = account;
  const count = Number(viewOf(data).getBigUint64(0, true));
  if (data.length < 8 + count * RECENT_BYTES) return null;
  return Array.from({ length: count }, (_, entry) => {
    const start = 8 + entry * RECENT_BYTES;
    return addressOf(data.subarray(start, start + 32));
  });
}

/** Bytes of an entry: slot u64, hash 32. */
const ENTRY_BYTES = 40;

/**
 * Returns the newest slot in the `SlotHashes` sysvar (Agave: u64 count, then the entries, newest first); null
 * if the account is empty or is not that sysvar.
 */
export function newestSlotHash(account: Account | null): bigint | null {
  if (account === null || account.owner !== SYSVAR_OWNER || account.data.length < 8 + ENTRY_BYTES)
    return null;
  const view = viewOf(account.data);
  return view.getBigUint64(0, true) === 0n ? null : view.getBigUint64(8, true);
}
