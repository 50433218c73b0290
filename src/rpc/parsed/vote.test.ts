import { describe, expect, it } from 'vitest';
import { ACCOUNTS, filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { VOTE_PROGRAM } from '../../programs/addresses.ts';
import { parseNamed } from './testing/parse-named.ts';

const [A, B, C, D] = ACCOUNTS;
const KEY = addressFilledWith(0xee);
const HASH = addressFilledWith(7);
const BLOCK = addressFilledWith(8);
const key = filled(0xee);
const u64 = (value: number | bigint): number[] => littleEndian(value, 8);
const seed = [...u64(4), ...Buffer.from('seed')];
const time = [1, ...u64(1_234_567_890)];

const slots = [...u64(3), ...u64(1), ...u64(2), ...u64(4), ...filled(7), ...time];
const shownSlots = { hash: HASH, slots: [1n, 2n, 4n], timestamp: 1_234_567_890n };

const lockouts = [
  { confirmation_count: 31, slot: 300n },
  { confirmation_count: 1, slot: 301n },
];
const tower = [
  ...u64(2),
  ...u64(300),
  ...littleEndian(31, 4),
  ...u64(301),
  ...littleEndian(1, 4),
  1,
  ...u64(100),
  ...filled(7),
  0,
];
const shownTower = { hash: HASH, lockouts, root: 100n, timestamp: null };
// The first slot is 200 above the root: two bytes of seven bits.
const compact = [...u64(100), 2, 0xc8, 0x01, 31, 1, 1, ...filled(7), 0];

const parse = (accountCount: number, tag: number, ...fields: number[][]): unknown =>
  parseNamed(VOTE_PROGRAM, ACCOUNTS.slice(0, accountCount), [...littleEndian(tag, 4), ...fields.flat()]);

describe('Vote instructions', () => {
  const voting = { voteAccount: A, voteAuthority: B };
  const slotVoting = { clockSysvar: C, slotHashesSysvar: B, voteAccount: A, voteAuthority: D };

  it.each<[string, number, number, number[][], object]>([
    [
      'initialize',
      0,
      4,
      [filled(9), key, filled(1), [10]],
      {
        authorizedVoter: KEY,
        authorizedWithdrawer: A,
        clockSysvar: C,
        commission: 10,
        node: D,
        rentSysvar: B,
        voteAccount: A,
      },
    ],
    [
      'authorize',
      1,
      3,
      [key, littleEndian(0, 4)],
      { authority: C, authorityType: 'Voter', clockSysvar: B, newAuthority: KEY, voteAccount: A },
    ],
    ['vote', 2, 4, [slots], { ...slotVoting, vote: shownSlots }],
    ['withdraw', 3, 3, [u64(55)], { destination: B, lamports: 55n, voteAccount: A, withdrawAuthority: C }],
    ['updateValidatorIdentity', 4, 3, [], { newValidatorIdentity: B, voteAccount: A, withdrawAuthority: C }],
    ['updateCommission', 5, 2, [[10]], { commission: 10, voteAccount: A, withdrawAuthority: B }],
    ['voteSwitch', 6, 4, [slots, filled(8)], { ...slotVoting, hash: BLOCK, vote: shownSlots }],
    [
      'authorizeChecked',
      7,
      4,
      [littleEndian(1, 4)],
      { authority: C, authorityType: 'Withdrawer', clockSysvar: B, newAuthority: D, voteAccount: A },
    ],
    ['updatevotestate', 8, 2, [tower], { ...voting, voteStateUpdate: shownTower }],
    [
      'updatevotestateswitch',
      9,
      2,
      [tower, filled(8)],
      { ...voting, hash: BLOCK, voteStateUpdate: shownTower },
    ],
    [
      'authorizeWithSeed',
      10,
      3,
      [littleEndian(0, 4), key, seed, filled(1)],
      {
        authorityBaseKey: C,
        authorityOwner: KEY,
        authoritySeed: 'seed',
        authorityType: 'Voter',
        clockSysvar: B,
        newAuthority: A,
        voteAccount: A,
      },
    ],
    [
      'authorizeCheckedWithSeed',
      11,
      4,
      [littleEndian(0, 4), key, seed],
      {
        authorityBaseKey: C,
        authorityOwner: KEY,
        authoritySeed: 'seed',
        authorityType: 'Voter',
        clockSysvar: B,
        newAuthority: D,
        voteAccount: A,
      },
    ],
    ['compactupdatevotestate', 12, 2, [compact], { ...voting, voteStateUpdate: shownTower }],
    [
      'compactupdatevotestateswitch',
      13,
      2,
      [compact, filled(8)],
      { ...voting, hash: BLOCK, voteStateUpdate: shownTower },
    ],
    ['towersync', 14, 2, [compact, filled(8)], { ...voting, towerSync: { blockId: BLOCK, ...shownTower } }],
    [
      'towersyncswitch',
      15,
      2,
      [compact, filled(8), filled(7)],
      { ...voting, hash: HASH, towerSync: { blockId: BLOCK, ...shownTower } },
    ],
    [
      'updateCommissionCollector',
      17,
      3,
      [littleEndian(0, 4)],
      { commissionKind: 'InflationRewards', newCollector: B, voteAccount: A, withdrawAuthority: C },
    ],
    [
      'updateCommissionBps',
      18,
      2,
      [littleEndian(750, 2), littleEndian(1, 4)],
      { commissionBps: 750, commissionKind: 'BlockRevenue', voteAccount: A, withdrawAuthority: B },
    ],
    ['depositDelegatorRewards', 19, 2, [u64(5)], { deposit: 5n, source: B, voteAccount: A }],
  ])('show %s', (type, tag, accountsMin, fields, info) => {
    expect(parse(accountsMin, tag, ...fields)).toEqual({ info, type });
    expect(parse(accountsMin - 1, tag, ...fields)).toBe('not parsed');
    if (fields.length > 0) expect(parse(accountsMin, tag, ...fields.slice(1))).toBe('not parsed');
  });

  it('show a compact tower without a root', () => {
    const rootless = [...u64(18446744073709551615n), 1, 5, 1, ...filled(7), 0];
    expect(parse(2, 12, rootless)).toMatchObject({
      info: { voteStateUpdate: { lockouts: [{ confirmation_count: 1, slot: 5n }], root: null } },
    });
  });

  it.each<[string, number, number[]]>([
    ['an unknown tag', 20, []],
    ['BLS keys', 16, filled(1)],
    ['an authority with a BLS key', 1, [...key, ...littleEndian(2, 4)]],
    ['a distance longer than it needs to be', 12, [...u64(0), 1, 0x80, 0x00, 1, ...filled(7), 0]],
    ['slots beyond u64', 12, [...u64(18446744073709551614n), 1, 2, 1, ...filled(7), 0]],
    ['more slots than bytes', 2, [...u64(2n ** 62n), ...filled(7), 0]],
  ])('are not parsed with %s', (_, tag, fields) => {
    expect(parse(4, tag, fields)).toBe('not parsed');
  });
});
