import type { JsonOutput } from '../../json/write-json.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import type { AccountBytes } from './parse-account.ts';

/** Unused bytes of a delegation: the former warm-up rate. */
const RESERVED_BYTES = 8;

/**
 * Shows a stake account as Agave does (`parse_stake`): `StakeStateV2` of `solana-stake-interface` in bincode.
 * Fields are read in declaration order.
 *
 * @throws {Unparsable}
 */
export function parseStakeState({ data }: AccountBytes): JsonOutput {
  const reader = new ByteReader(data);
  switch (reader.u32()) {
    case 0:
      return { type: 'uninitialized' };
    case 1:
      return { info: { meta: readMeta(reader), stake: null }, type: 'initialized' };
    case 2:
      return { info: { meta: readMeta(reader), stake: readStake(reader) }, type: 'delegated' };
    case 3:
      return { type: 'rewardsPool' };
    default:
      throw new Unparsable('unknown state');
  }
}

function readMeta(reader: ByteReader): JsonOutput {
  const rentExemptReserve = reader.u64().toString();
  const authorized = { staker: reader.address(), withdrawer: reader.address() };
  const unixTimestamp = reader.i64();
  const epoch = reader.u64();
  return {
    authorized,
    lockup: { custodian: reader.address(), epoch, unixTimestamp },
    rentExemptReserve,
  };
}

function readStake(reader: ByteReader): JsonOutput {
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
