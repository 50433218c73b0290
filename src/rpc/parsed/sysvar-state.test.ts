import { describe, expect, it } from 'vitest';
import { SYSVAR_OWNER } from '../../programs/addresses.ts';
import {
  CLOCK_SYSVAR,
  EPOCH_REWARDS_SYSVAR,
  EPOCH_SCHEDULE_SYSVAR,
  LAST_RESTART_SLOT_SYSVAR,
  RECENT_BLOCKHASHES_SYSVAR,
  RENT_SYSVAR,
  SLOT_HASHES_SYSVAR,
  STAKE_HISTORY_SYSVAR,
} from '../../programs/sysvars.ts';
import type { Address } from '../../solana/address.ts';
import { filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { parseState } from './testing/parse-state.ts';

const HASH = addressFilledWith(7);
const u64s = (...values: (number | bigint)[]): number[] => values.flatMap((value) => littleEndian(value, 8));
const float = (value: number): number[] => [...Buffer.from(Float64Array.of(value).buffer)];

const SYSVARS: readonly [type: string, Address, number[], unknown][] = [
  [
    'clock',
    CLOCK_SYSVAR,
    u64s(1, -2n, 3, 4, 5),
    { epoch: 3n, epochStartTimestamp: -2n, leaderScheduleEpoch: 4n, slot: 1n, unixTimestamp: 5n },
  ],
  [
    'epochSchedule',
    EPOCH_SCHEDULE_SYSVAR,
    [...u64s(432_000, 432_000), 1, ...u64s(14, 524_256)],
    {
      firstNormalEpoch: 14n,
      firstNormalSlot: 524_256n,
      leaderScheduleSlotOffset: 432_000n,
      slotsPerEpoch: 432_000n,
      warmup: true,
    },
  ],
  [
    'recentBlockhashes',
    RECENT_BLOCKHASHES_SYSVAR,
    [...u64s(1), ...filled(7), ...u64s(5000)],
    [{ blockhash: HASH, feeCalculator: { lamportsPerSignature: '5000' } }],
  ],
  ['rent', RENT_SYSVAR, [...u64s(6960), ...float(1), 50], { lamportsPerByte: '6960' }],
  ['slotHashes', SLOT_HASHES_SYSVAR, [...u64s(1, 42), ...filled(7)], [{ hash: HASH, slot: 42n }]],
  [
    'stakeHistory',
    STAKE_HISTORY_SYSVAR,
    u64s(1, 9, 10, 2, 3),
    [{ epoch: 9n, stakeHistory: { activating: 2n, deactivating: 3n, effective: 10n } }],
  ],
  ['lastRestartSlot', LAST_RESTART_SLOT_SYSVAR, u64s(1282), { lastRestartSlot: 1282n }],
  [
    'epochRewards',
    EPOCH_REWARDS_SYSVAR,
    [...u64s(42, 3), ...filled(7), ...u64s(1, 1), ...u64s(100, 20), 1],
    {
      active: true,
      distributedRewards: '20',
      distributionStartingBlockHeight: 42n,
      numPartitions: 3n,
      parentBlockhash: HASH,
      totalPoints: '18446744073709551617',
      totalRewards: '100',
    },
  ],
];

describe('sysvars', () => {
  it.each(SYSVARS)('are shown: %s', (type, address, data, info) => {
    expect(parseState(SYSVAR_OWNER, data, address)).toEqual({ info, type });
    // Room behind the value is no fault, bytes that are missing are.
    expect(parseState(SYSVAR_OWNER, [...data, 0, 0], address)).toEqual({ info, type });
    expect(parseState(SYSVAR_OWNER, data.slice(0, -1), address)).toBe('not parsed');
  });

  it('are known by their addresses only', () => {
    expect(parseState(SYSVAR_OWNER, u64s(1, 2, 3, 4, 5))).toBe('not parsed');
  });
});
