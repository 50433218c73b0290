import type { Address } from '../solana/address.ts';

const at = (text: string): Address => text as Address;

/** Addresses of the sysvars (`solana-sdk-ids` `sysvar`). */

/** Slot, epoch and time. */
export const CLOCK_SYSVAR = at('SysvarC1ock11111111111111111111111111111111');
export const EPOCH_REWARDS_SYSVAR = at('SysvarEpochRewards1111111111111111111111111');
/** The length of epochs. */
export const EPOCH_SCHEDULE_SYSVAR = at('SysvarEpochSchedu1e111111111111111111111111');
export const FEES_SYSVAR = at('SysvarFees111111111111111111111111111111111');
export const LAST_RESTART_SLOT_SYSVAR = at('SysvarLastRestartS1ot1111111111111111111111');
/** The newest blockhashes. Deprecated, but durable nonces still require it. */
export const RECENT_BLOCKHASHES_SYSVAR = at('SysvarRecentB1ockHashes11111111111111111111');
export const RENT_SYSVAR = at('SysvarRent111111111111111111111111111111111');
export const REWARDS_SYSVAR = at('SysvarRewards111111111111111111111111111111');
/** The hashes of the slots before the current one. */
export const SLOT_HASHES_SYSVAR = at('SysvarS1otHashes111111111111111111111111111');
export const SLOT_HISTORY_SYSVAR = at('SysvarS1otHistory11111111111111111111111111');
/** The stakes of past epochs. */
export const STAKE_HISTORY_SYSVAR = at('SysvarStakeHistory1111111111111111111111111');
