import type { ClockTime } from '../../programs/clock.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader, tryParse } from '../../solana/byte-reader.ts';

/** Variants of `StakeStateV2`. */
export const STAKE_INITIALIZED = 1;
export const STAKE_DELEGATED = 2;

/** Bytes of a `Stake` and its `StakeFlags`, which come after the `Meta` of a delegated one. */
const STAKE_BYTES = 32 + 8 + 8 + 8 + 8 + 8 + 1;

/** Whose a stake account is, and until when it cannot be withdrawn from (`Meta`). */
interface StakeMeta {
  /** Lamports. */
  readonly rentExemptReserve: bigint;
  readonly authorized: { readonly staker: Address; readonly withdrawer: Address };
  readonly lockup: {
    /** s since the Unix epoch. */
    readonly unixTimestamp: bigint;
    readonly epoch: bigint;
    readonly custodian: Address;
  };
}

/**
 * The `Meta` that comes next in a stake account.
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

/** The `Meta` of the data of an account of the stake program; null where there is none. */
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

/** Whether nobody but the custodian may withdraw yet (`Lockup::is_in_force`). */
export function isLockedUp({ lockup }: StakeMeta, now: ClockTime): boolean {
  return lockup.unixTimestamp > now.unixTimestamp || lockup.epoch > now.epoch;
}
