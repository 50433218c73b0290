import { describe, expect, it } from 'vitest';
import { STAKE_CONFIG, STAKE_PROGRAM } from '../../programs/addresses.ts';
import {
  CLOCK_SYSVAR as CLOCK,
  RENT_SYSVAR as RENT,
  STAKE_HISTORY_SYSVAR as HISTORY,
} from '../../programs/sysvars.ts';
import type { Address } from '../../solana/address.ts';
import { ACCOUNTS, filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { parseNamed } from './testing/parse-named.ts';

const [A, B, C, D] = ACCOUNTS as [Address, Address, Address, Address];
const KEY = addressFilledWith(0xee);
const key = filled(0xee);
const u64 = (value: number | bigint): number[] => littleEndian(value, 8);
const seed = [...u64(4), ...Buffer.from('seed')];

const parse = (accounts: readonly Address[], tag: number, ...fields: number[][]): unknown =>
  parseNamed(STAKE_PROGRAM, accounts, [...littleEndian(tag, 4), ...fields.flat()]);

/** Name, tag, accounts, fields, info: with sysvars and without where the program takes both. */
const CASES: readonly [string, number, readonly Address[], number[][], object | null][] = [
  [
    'initialize',
    0,
    [A, RENT],
    [key, filled(2), u64(-1n), u64(11), filled(3)],
    {
      authorized: { staker: KEY, withdrawer: B },
      lockup: { custodian: C, epoch: 11n, unixTimestamp: -1n },
      rentSysvar: RENT,
      stakeAccount: A,
    },
  ],
  [
    'authorize',
    1,
    [A, CLOCK, B],
    [key, littleEndian(0, 4)],
    { authority: B, authorityType: 'Staker', clockSysvar: CLOCK, newAuthority: KEY, stakeAccount: A },
  ],
  [
    'authorize',
    1,
    [A, B, C],
    [key, littleEndian(1, 4)],
    { authority: B, authorityType: 'Withdrawer', custodian: C, newAuthority: KEY, stakeAccount: A },
  ],
  [
    'delegate',
    2,
    [A, B, CLOCK, HISTORY, STAKE_CONFIG, C],
    [],
    {
      clockSysvar: CLOCK,
      stakeAccount: A,
      stakeAuthority: C,
      stakeConfigAccount: STAKE_CONFIG,
      stakeHistorySysvar: HISTORY,
      voteAccount: B,
    },
  ],
  [
    'delegate',
    2,
    [A, B, CLOCK, HISTORY, C],
    [],
    {
      clockSysvar: CLOCK,
      stakeAccount: A,
      stakeAuthority: C,
      stakeHistorySysvar: HISTORY,
      voteAccount: B,
    },
  ],
  ['delegate', 2, [A, B, C], [], { stakeAccount: A, stakeAuthority: C, voteAccount: B }],
  ['split', 3, [A, B, C], [u64(5)], { lamports: 5n, newSplitAccount: B, stakeAccount: A, stakeAuthority: C }],
  [
    'withdraw',
    4,
    [A, B, CLOCK, HISTORY, C, D],
    [u64(5)],
    {
      clockSysvar: CLOCK,
      custodian: D,
      destination: B,
      lamports: 5n,
      stakeAccount: A,
      stakeHistorySysvar: HISTORY,
      withdrawAuthority: C,
    },
  ],
  [
    'withdraw',
    4,
    [A, B, C],
    [u64(5)],
    { destination: B, lamports: 5n, stakeAccount: A, withdrawAuthority: C },
  ],
  ['deactivate', 5, [A, CLOCK, B], [], { clockSysvar: CLOCK, stakeAccount: A, stakeAuthority: B }],
  ['deactivate', 5, [A, B], [], { stakeAccount: A, stakeAuthority: B }],
  [
    'setLockup',
    6,
    [A, B],
    [[1], u64(7), [0], [1], key],
    { custodian: B, lockup: { custodian: KEY, unixTimestamp: 7n }, stakeAccount: A },
  ],
  [
    'merge',
    7,
    [A, B, CLOCK, HISTORY, C],
    [],
    { clockSysvar: CLOCK, destination: A, source: B, stakeAuthority: C, stakeHistorySysvar: HISTORY },
  ],
  ['merge', 7, [A, B, C], [], { destination: A, source: B, stakeAuthority: C }],
  [
    'authorizeWithSeed',
    8,
    [A, B, CLOCK, C],
    [key, littleEndian(0, 4), seed, filled(4)],
    {
      authorityBase: B,
      authorityOwner: D,
      authoritySeed: 'seed',
      authorityType: 'Staker',
      clockSysvar: CLOCK,
      custodian: C,
      newAuthorized: KEY,
      stakeAccount: A,
    },
  ],
  [
    'initializeChecked',
    9,
    [A, RENT, B, C],
    [],
    { rentSysvar: RENT, stakeAccount: A, staker: B, withdrawer: C },
  ],
  ['initializeChecked', 9, [A, B, C], [], { stakeAccount: A, staker: B, withdrawer: C }],
  [
    'authorizeChecked',
    10,
    [A, CLOCK, B, C],
    [littleEndian(1, 4)],
    { authority: B, authorityType: 'Withdrawer', clockSysvar: CLOCK, newAuthority: C, stakeAccount: A },
  ],
  [
    'authorizeCheckedWithSeed',
    11,
    [A, B, CLOCK, C],
    [littleEndian(1, 4), seed, key],
    {
      authorityBase: B,
      authorityOwner: KEY,
      authoritySeed: 'seed',
      authorityType: 'Withdrawer',
      clockSysvar: CLOCK,
      newAuthorized: C,
      stakeAccount: A,
    },
  ],
  [
    'setLockupChecked',
    12,
    [A, B, C],
    [[0], [1], u64(9)],
    { custodian: B, lockup: { custodian: C, epoch: 9n }, stakeAccount: A },
  ],
  ['getMinimumDelegation', 13, [A], [], null],
  ['deactivateDelinquent', 14, [A, B, C], [], { referenceVoteAccount: C, stakeAccount: A, voteAccount: B }],
  [
    'redelegate',
    15,
    [A, B, C, STAKE_CONFIG, D],
    [],
    {
      newStakeAccount: B,
      stakeAccount: A,
      stakeAuthority: D,
      stakeConfigAccount: STAKE_CONFIG,
      voteAccount: C,
    },
  ],
  ['moveStake', 16, [A, B, C], [u64(5)], { destination: B, lamports: 5n, source: A, stakeAuthority: C }],
  ['moveLamports', 17, [A, B, C], [u64(5)], { destination: B, lamports: 5n, source: A, stakeAuthority: C }],
];

describe('Stake instructions', () => {
  it.each(CASES)('show %s (tag %d, %#)', (type, tag, accounts, fields, info) => {
    expect(parse(accounts, tag, ...fields)).toEqual({ info, type });
    expect(parse([], tag, ...fields)).toBe('not parsed');
    if (fields.length > 0) expect(parse(accounts, tag)).toBe('not parsed');
  });

  it('name the second account of initialize only when it is the Rent sysvar', () => {
    const fields = [key, key, u64(0), u64(0), key];
    expect(parse([A, B], 0, ...fields)).not.toHaveProperty('info.rentSysvar', B);
  });

  it('are not parsed with sysvars but too few accounts, an unknown tag or an unknown authority', () => {
    expect(parse([A, B, CLOCK, HISTORY], 2)).toBe('not parsed');
    expect(parse([A, B, CLOCK, HISTORY], 4, u64(5))).toBe('not parsed');
    expect(parse([A, B, C], 18)).toBe('not parsed');
    expect(parse([A, B, C], 1, key, littleEndian(2, 4))).toBe('not parsed');
  });
});
