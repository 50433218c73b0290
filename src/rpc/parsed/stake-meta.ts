import type { ClockTime } from '../../programs/clock.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader, tryParse } from '../../solana/byte-reader.ts';

/** Variants of `StakeStateV2`. */
export const STAKE_INITIALIZED = 1;
export const STAKE_DELEGATED = 2;

/** Size of a `Stake` with its `StakeFlags`, which follow the `Meta` of a delegated account. */
const STAKE_BYTES = 32 + 8 + 8 + 8 + 8 + 8 + 1;

/** The authorities and the lockup of a stake account (`Meta`). */
interface StakeMeta {
  /** Lamports. */
  readonly rentExemptReserve: bigint;
  readonly authorized: { readonly staker: Address; readonly withdrawer: Address };
  readonly lockup: {
    /** Unix seconds. */
    readonly unixTimestamp: bigint;
    readonly epoch: bigint;
    readonly custodian: Address;
  };
}

/**
 * Reads the `Meta` of a stake account.
 *
 * @throws {Unparsable}
 */
export function readStakeMeta(reader: ByteReader): StakeMeta {
  return {
    rentExemptReserve: reader.u64(),
    authorized: { staker: reader.address(), withdrawer: reader.address() },
    lockup: { unixTimestamp: reader.i64(), epoch: reader.u64(), custodian: reader.address() },
  };
}

/** The `Meta` in the data of a stake program's account; null if there is none. */
export function stakeMetaOf(data: Uint8Array): StakeMeta | null {
  const read = (): StakeMeta | null => {
    const reader = new ByteReader(data);
    const state = reader.u32();
    if (state !== STAKE_INITIALIZED && state !== STAKE_DELEGATED) return null;
    const meta = readStakeMeta(reader);
    if (state === STAKE_DELEGATED) reader.take(STAKE_BYTES);
    return meta;
  };
  return tryParse(read) ?? null;
}

/** Whether only the custodian may withdraw (`Lockup::is_in_force`). */
export function isLockedUp({ lockup }: StakeMeta, now: ClockTime): boolean {
  return lockup.unixTimestamp > now.unixTimestamp || lockup.epoch > now.epoch;
}
