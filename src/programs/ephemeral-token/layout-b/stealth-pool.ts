import { addressBytes, type Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { concat } from '../../instruction-data.ts';
import { encode, type AccountsOf } from '../../instruction-table/encode.ts';
import { STEALTH_TABLE } from '../table/stealth.ts';
import { SPLIT_ACROSS_KEYS } from './stealth-pool-state.ts';

/** Most keys of a stealth pool (`StealthPool::MAX_DESTINATIONS` of the ephemeral SPL token program). */
export const POOL_DESTINATIONS_MAX = 10;

/** The destinations of a stealth pool. */
export interface StealthPoolKeys {
  /** 1 to {@link POOL_DESTINATIONS_MAX}. */
  readonly destinations: readonly Address[];
  /** Whether the parts of one payment may go to different keys. */
  readonly splitAcrossKeys: boolean;
}

/**
 * Tag 21, sent to the rollup: sets the keys of the pool of `handle`.
 *
 * @throws {RangeError} if the handle or the number of destinations is out of bounds.
 */
export function updateStealthPool(
  accounts: AccountsOf<typeof STEALTH_TABLE.updateStealthPool>,
  handle: string,
  { destinations, splitAcrossKeys }: StealthPoolKeys,
): Instruction {
  if (destinations.length === 0 || destinations.length > POOL_DESTINATIONS_MAX) {
    throw new RangeError(`${destinations.length} destinations: a pool has 1 to ${POOL_DESTINATIONS_MAX}`);
  }
  return encode(STEALTH_TABLE.updateStealthPool, accounts, {
    handle,
    flags: splitAcrossKeys ? SPLIT_ACROSS_KEYS : 0,
    destinationCount: destinations.length,
    destinations: concat(...destinations.map(addressBytes)),
  });
}

/**
 * Tag 22: creates the empty pool of `handle` with its permission, and delegates it to a validator. Does
 * nothing if it is delegated already, to any validator. `delegation` is that of the pool.
 *
 * @throws {RangeError} if the handle is empty or longer than 255 bytes.
 */
export const delegateStealthPool = (
  accounts: AccountsOf<typeof STEALTH_TABLE.delegateStealthPool>,
  handle: string,
  validator: Address | null,
): Instruction => encode(STEALTH_TABLE.delegateStealthPool, accounts, { handle, validator });
