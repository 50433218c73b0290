import type { JsonOutput } from '../../json/json-value.ts';
import type { ClockTime } from '../../programs/sysvars.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader, tryParse, Unparsable } from '../../solana/byte-reader.ts';
import type { AccountBytes } from './parse-account.ts';

/** Variants of `StakeStateV2`. */
const STAKE_INITIALIZED = 1;
const STAKE_DELEGATED = 2;

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
function readStakeMeta(reader: ByteReader): StakeMeta {
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

/** Unused bytes of a delegation: the former warm-up rate. */
const RESERVED_BYTES = 8;

/**
 * Shows a stake account as Agave does (`parse_stake`): `StakeStateV2` of `solana-stake-interface` in bincode.
 *
 * @throws {Unparsable}
 */
export function parseStakeState({ data }: AccountBytes): JsonOutput {
  const reader = new ByteReader(data);
  switch (reader.u32()) {
    case 0:
      return { type: 'uninitialized' };
    case STAKE_INITIALIZED:
      return { info: { meta: parseMeta(reader), stake: null }, type: 'initialized' };
    case STAKE_DELEGATED:
      return { info: { meta: parseMeta(reader), stake: parseStake(reader) }, type: 'delegated' };
    case 3:
      return { type: 'rewardsPool' };
    default:
      throw new Unparsable('unknown state');
  }
}

function parseMeta(reader: ByteReader): JsonOutput {
  const { authorized, lockup, rentExemptReserve } = readStakeMeta(reader);
  const { custodian, epoch, unixTimestamp } = lockup;
  return {
    authorized,
    lockup: { custodian, epoch, unixTimestamp },
    rentExemptReserve: rentExemptReserve.toString(),
  };
}

function parseStake(reader: ByteReader): JsonOutput {
  const voter = reader.address();
  const stake = reader.u64().toString();
  const activationEpoch = reader.u64().toString();
  const deactivationEpoch = reader.u64().toString();
  reader.take(RESERVED_BYTES);
  const creditsObserved = reader.u64();
  // The flags are part of the state but are not shown.
  reader.u8();
  return { creditsObserved, delegation: { activationEpoch, deactivationEpoch, stake, voter } };
}
