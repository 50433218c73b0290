import { SYSVAR_OWNER } from '../../programs/addresses.ts';
import { type Account, RENT_EXEMPT_EPOCH, rentExemptMinimum } from '../../solana/account.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import type { Blockhashes } from './blockhashes.ts';

/** Default slots of an epoch (`DEFAULT_SLOTS_PER_EPOCH`). No warm-up, as in solana-test-validator. */
export const EPOCH_SLOTS = 432_000;

/** Entries of the SlotHashes and RecentBlockhashes sysvars (`MAX_ENTRIES` of each). */
const SLOT_HASHES_MAX = 512;
const RECENT_BLOCKHASHES_MAX = 150;

/** Size of the StakeHistory sysvar with room for 512 entries, in bytes (`StakeHistory::size_of`). */
const STAKE_HISTORY_BYTES = 8 + 512 * 32;

/** Creates Clock: slot u64, epoch start i64, epoch u64, leader schedule epoch u64, Unix seconds i64. */
export function clockSysvar(
  slot: number,
  unixTimestamp: number,
  slotMs: number,
  epochSlots = EPOCH_SLOTS,
): Account {
  const view = new DataView(new ArrayBuffer(40));
  const epoch = Math.floor(slot / epochSlots);
  const epochSeconds = Math.floor(((slot - epoch * epochSlots) * slotMs) / 1_000);
  view.setBigUint64(0, BigInt(slot), true);
  view.setBigInt64(8, BigInt(unixTimestamp - epochSeconds), true);
  view.setBigUint64(16, BigInt(epoch), true);
  view.setBigUint64(24, BigInt(epoch + 1), true);
  view.setBigInt64(32, BigInt(unixTimestamp), true);
  return sysvarAccount(new Uint8Array(view.buffer));
}

/**
 * Creates SlotHashes: count u64, then slot u64 and hash of each block before the one at `height`, newest
 * first.
 *
 * @param slotAt returns the slot of the block at a height.
 */
export function slotHashesSysvar(
  height: number,
  blockhashes: Blockhashes,
  slotAt: (height: number) => number,
): Account {
  const data = new Uint8Array(8 + SLOT_HASHES_MAX * 40);
  const view = new DataView(data.buffer);
  view.setBigUint64(0, BigInt(SLOT_HASHES_MAX), true);
  for (let entry = 0; entry < SLOT_HASHES_MAX; entry++) {
    const past = height - 1 - entry;
    view.setBigUint64(8 + entry * 40, BigInt(slotAt(past)), true);
    data.set(blockhashes.at(past), 16 + entry * 40);
  }
  return sysvarAccount(data);
}

/** Creates RecentBlockhashes: count u64, then hash and lamports per signature u64, newest first. */
export function recentBlockhashesSysvar(
  height: number,
  blockhashes: Blockhashes,
  lamportsPerSignature: bigint,
): Account {
  const data = new Uint8Array(8 + RECENT_BLOCKHASHES_MAX * 40);
  const view = new DataView(data.buffer);
  view.setBigUint64(0, BigInt(RECENT_BLOCKHASHES_MAX), true);
  for (let entry = 0; entry < RECENT_BLOCKHASHES_MAX; entry++) {
    data.set(blockhashes.at(height - entry), 8 + entry * 40);
    view.setBigUint64(40 + entry * 40, lamportsPerSignature, true);
  }
  return sysvarAccount(data);
}

/** Creates EpochSchedule: epoch slots u64, leader offset u64, warm-up u8, first normal epoch and slot u64. */
export function epochScheduleSysvar(epochSlots = EPOCH_SLOTS): Account {
  const view = new DataView(new ArrayBuffer(33));
  view.setBigUint64(0, BigInt(epochSlots), true);
  view.setBigUint64(8, BigInt(epochSlots), true);
  return sysvarAccount(new Uint8Array(view.buffer));
}

/** Returns the slots of an epoch in an account of {@link epochScheduleSysvar}. */
export function readEpochSlots({ data }: Account): number {
  return Number(viewOf(data).getBigUint64(0, true));
}

/** Creates StakeHistory: count u64, then entries of epoch and three amounts u64. It is empty here. */
export function stakeHistorySysvar(): Account {
  return sysvarAccount(new Uint8Array(STAKE_HISTORY_BYTES));
}

/** Creates a rent-exempt sysvar, as on the network. The engine's own sysvars are not rent-exempt. */
export function sysvarAccount(data: Uint8Array): Account {
  return {
    lamports: rentExemptMinimum(data.length),
    owner: SYSVAR_OWNER,
    data,
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}
