import type { JsonOutput } from '../../json/json-value.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import type { AccountBytes } from './parse-account.ts';
import { readStakeMeta, STAKE_DELEGATED, STAKE_INITIALIZED } from './stake-meta.ts';

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
