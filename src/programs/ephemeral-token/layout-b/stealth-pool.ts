import { addressBytes, type Address } from '../../../solana/address.ts';
import { readonly, signer, writable, writableSigner, type Instruction } from '../../../solana/instruction.ts';
import { PERMISSION_PROGRAM, SYSTEM_PROGRAM } from '../../addresses.ts';
import { trailing, u8 } from '../../instruction-data.ts';
import { textSeed } from '../../seeds.ts';
import type { DelegationAccounts } from '../layout-a.ts';
import { HANDLE_BYTES_MAX } from '../stealth-pool.ts';
import { call, delegationMetas, TAG } from './call.ts';
import { SPLIT_ACROSS_KEYS } from './stealth-pool-state.ts';

/** Most keys a stealth pool pays to (`StealthPool::MAX_DESTINATIONS` of the ephemeral SPL token program). */
export const POOL_DESTINATIONS_MAX = 10;

/** What a stealth pool pays to. */
export interface StealthPoolKeys {
  /** 1 to {@link POOL_DESTINATIONS_MAX}. */
  readonly destinations: readonly Address[];
  /** Whether the parts of one payment may go to different keys. */
  readonly splitAcrossKeys: boolean;
}

/**
 * Tag 21, sent to the rollup: sets the keys of the pool of `handle`.
 *
 * @throws {RangeError} when the handle or the number of destinations is out of its bounds.
 */
export function updateStealthPool(
  accounts: { payer: Address; pool: Address; authority: Address },
  handle: string,
  { destinations, splitAcrossKeys }: StealthPoolKeys,
): Instruction {
  if (destinations.length === 0 || destinations.length > POOL_DESTINATIONS_MAX) {
    throw new RangeError(`${destinations.length} destinations: a pool has 1 to ${POOL_DESTINATIONS_MAX}`);
  }
  return call(
    TAG.updateStealthPool,
    [
      writableSigner(accounts.payer),
      writable(accounts.pool),
      signer(accounts.authority),
      readonly(SYSTEM_PROGRAM),
    ],
    handleStorage(handle),
    u8(splitAcrossKeys ? SPLIT_ACROSS_KEYS : 0),
    u8(destinations.length),
    ...destinations.map(addressBytes),
  );
}

/**
 * Tag 22: creates the pool of `handle`, empty, with its permission and hands it over to a validator; does nothing when
 * it is delegated, to whichever validator. `delegation` belongs to the pool.
 *
 * @throws {RangeError} when the handle is empty or longer than 255 bytes.
 */
export function delegateStealthPool(
  accounts: {
    payer: Address;
    pool: Address;
    permission: Address;
    delegation: DelegationAccounts;
    authority: Address;
  },
  handle: string,
  validator: Address | null,
): Instruction {
  return call(
    TAG.delegateStealthPool,
    [
      writableSigner(accounts.payer),
      writable(accounts.pool),
      writable(accounts.permission),
      ...delegationMetas(accounts.delegation),
      readonly(SYSTEM_PROGRAM),
      readonly(PERMISSION_PROGRAM),
      signer(accounts.authority),
    ],
    handleStorage(handle),
    trailing(validator),
  );
}

/** A handle as the program keeps it: its length in one byte, its UTF-8 bytes, zeros up to 256. */
function handleStorage(handle: string): Uint8Array {
  const text = textSeed(handle);
  if (text.length === 0 || text.length > HANDLE_BYTES_MAX) {
    throw new RangeError(`${text.length} bytes: a handle has 1 to ${HANDLE_BYTES_MAX}`);
  }
  const storage = new Uint8Array(1 + HANDLE_BYTES_MAX);
  storage[0] = text.length;
  storage.set(text, 1);
  return storage;
}
