import { type Address, addressBytes, addressOf } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { concat } from '../../instruction-data.ts';
import { type AccountsOf, encode } from '../../instruction-table/encode.ts';
import { HANDLE_BYTES_MAX } from '../stealth-pool.ts';
import { STEALTH_TABLE } from '../table/queue.ts';

/** Size of a stealth pool (`StealthPool::LEN` of the ephemeral SPL token program), in bytes. */
export const STEALTH_POOL_BYTES = 619;

/** The only defined flag of a pool: parts of one payment may go to different keys. */
export const SPLIT_ACROSS_KEYS = 1;

/** A stealth pool: the keys that receive payments to a handle. */
interface StealthPool {
  readonly bump: number;
  readonly splitAcrossKeys: boolean;
  readonly authority: Address;
  readonly handle: string;
  /** The keys, 1 to 10. */
  readonly destinations: readonly Address[];
}

const DISCRIMINATOR = 'stpool@1';
const BUMP_AT = 8;
const FLAGS_AT = 9;
const AUTHORITY_AT = 10;
const HANDLE_AT = 42;
const COUNT_AT = HANDLE_AT + 1 + HANDLE_BYTES_MAX;
const DESTINATIONS_AT = COUNT_AT + 1;
const DESTINATIONS_MAX = (STEALTH_POOL_BYTES - DESTINATIONS_AT) / 32;

// Handles are compared byte by byte, so a byte order mark is kept.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes a stealth pool. Returns null for a wrong length or discriminator ("stpool@1"), unknown flags, no
 * destination, or a handle that is not UTF-8. A pool is all zeros until its first update and decodes to null.
 */
export function decodeStealthPool(data: Uint8Array): StealthPool | null {
  if (data.length !== STEALTH_POOL_BYTES) return null;
  if (Buffer.from(data.subarray(0, BUMP_AT)).toString('latin1') !== DISCRIMINATOR) return null;
  const flags = data[FLAGS_AT] as number;
  const count = data[COUNT_AT] as number;
  const handle = decodeHandle(data.subarray(HANDLE_AT, COUNT_AT));
  // An unknown flag could change the meaning of everything else.
  if (flags > SPLIT_ACROSS_KEYS || count === 0 || count > DESTINATIONS_MAX || handle === null) return null;
  return {
    bump: data[BUMP_AT] as number,
    splitAcrossKeys: flags === SPLIT_ACROSS_KEYS,
    authority: addressOf(data.subarray(AUTHORITY_AT, HANDLE_AT)),
    handle,
    destinations: Array.from({ length: count }, (_, index) => {
      const at = DESTINATIONS_AT + index * 32;
      return addressOf(data.subarray(at, at + 32));
    }),
  };
}

function decodeHandle(storage: Uint8Array): string | null {
  const length = storage[0] as number;
  if (length === 0) return null;
  try {
    return utf8.decode(storage.subarray(1, 1 + length));
  } catch {
    return null;
  }
}

/** Maximum number of keys in a pool (`StealthPool::MAX_DESTINATIONS` of the ephemeral SPL token program). */
export const POOL_DESTINATIONS_MAX = 10;

/** The destinations of a stealth pool. */
export interface StealthPoolKeys {
  /** The keys, 1 to {@link POOL_DESTINATIONS_MAX}. */
  readonly destinations: readonly Address[];
  readonly splitAcrossKeys: boolean;
}

/**
 * Sets the keys of the pool of `handle` (tag 21, sent to the rollup).
 *
 * @throws {RangeError} if the handle or the number of destinations is out of bounds.
 */
export function updateStealthPool(
  accounts: AccountsOf<typeof STEALTH_TABLE.updateStealthPool>,
  handle: string,
  { destinations, splitAcrossKeys }: StealthPoolKeys,
): Instruction {
  if (destinations.length === 0 || destinations.length > POOL_DESTINATIONS_MAX) {
    throw new RangeError(
      `a pool must have 1 to ${POOL_DESTINATIONS_MAX} destinations, not ${destinations.length}`,
    );
  }
  return encode(STEALTH_TABLE.updateStealthPool, accounts, {
    handle,
    flags: splitAcrossKeys ? SPLIT_ACROSS_KEYS : 0,
    destinationCount: destinations.length,
    destinations: concat(...destinations.map(addressBytes)),
  });
}
