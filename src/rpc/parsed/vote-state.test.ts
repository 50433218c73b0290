import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../solana/base58.ts';
import { filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { VOTE_PROGRAM } from '../../programs/addresses.ts';
import { parseState, SOMEWHERE } from './testing/parse-state.ts';

const NODE = addressFilledWith(1);
const WITHDRAWER = addressFilledWith(2);

const lockout = [...littleEndian(100, 8), ...littleEndian(31, 4)];
const root = [1, ...littleEndian(68, 8)];
const voters = [...littleEndian(1, 8), ...littleEndian(9, 8), ...filled(5)];
const credits = [
  ...littleEndian(1, 8),
  ...littleEndian(8, 8),
  ...littleEndian(500, 8),
  ...littleEndian(400, 8),
];
const time = [...littleEndian(100, 8), ...littleEndian(1_750_000_000, 8)];
const priorVoters = Array.from({ length: 1545 }, () => 0);

const shown = {
  authorizedVoters: [{ authorizedVoter: addressFilledWith(5), epoch: 9n }],
  authorizedWithdrawer: WITHDRAWER,
  epochCredits: [{ credits: '500', epoch: 8n, previousCredits: '400' }],
  lastTimestamp: { slot: 100n, timestamp: 1_750_000_000n },
  nodePubkey: NODE,
  priorVoters: [],
  rootSlot: 68n,
};
const oldTerms = {
  blockRevenueCollector: NODE,
  blockRevenueCommissionBps: 10_000,
  blsPubkeyCompressed: null,
  commission: 7,
  inflationRewardsCollector: SOMEWHERE,
  inflationRewardsCommissionBps: 700,
  pendingDelegatorRewards: '0',
};

const parse = (version: number, ...fields: number[][]): unknown =>
  parseState(VOTE_PROGRAM, [...littleEndian(version, 4), ...fields.flat()]);

describe('vote accounts', () => {
  const one = littleEndian(1, 8);

  it('of version 1.14.11 have votes without latency', () => {
    expect(
      parse(1, filled(1), filled(2), [7], one, lockout, root, voters, priorVoters, credits, time),
    ).toEqual({
      info: { ...shown, ...oldTerms, votes: [{ confirmationCount: 31, latency: 0, slot: 100n }] },
      type: 'vote',
    });
  });

  it('of version 3 are shown in the terms of version 4', () => {
    expect(
      parse(2, filled(1), filled(2), [7], one, [2], lockout, root, voters, priorVoters, credits, time),
    ).toEqual({
      info: { ...shown, ...oldTerms, votes: [{ confirmationCount: 31, latency: 2, slot: 100n }] },
      type: 'vote',
    });
  });

  it('of version 4 show who receives what', () => {
    const bls = Array.from({ length: 48 }, () => 9);
    const terms = [
      ...filled(1),
      ...filled(2),
      ...filled(3),
      ...filled(4),
      ...littleEndian(750, 2),
      ...littleEndian(10_000, 2),
      ...littleEndian(18446744073709551615n, 8),
    ];
    const rest = [...littleEndian(0, 8), 0, ...voters, ...credits, ...time];
    expect(parse(3, terms, [1], bls, rest)).toEqual({
      info: {
        ...shown,
        blockRevenueCollector: addressFilledWith(4),
        blockRevenueCommissionBps: 10_000,
        blsPubkeyCompressed: encodeBase58(Uint8Array.from(bls)),
        commission: 7,
        inflationRewardsCollector: addressFilledWith(3),
        inflationRewardsCommissionBps: 750,
        pendingDelegatorRewards: '18446744073709551615',
        rootSlot: null,
        votes: [],
      },
      type: 'vote',
    });
    expect(parse(3, terms, [0], rest)).toMatchObject({ info: { blsPubkeyCompressed: null } });
  });

  it('are not parsed uninitialized, of an unknown version, or cut off', () => {
    expect(parse(0, priorVoters)).toBe('not parsed');
    expect(parse(4, priorVoters)).toBe('not parsed');
    expect(parse(2, filled(1), filled(2), [7], littleEndian(2n ** 60n, 8))).toBe('not parsed');
  });
});
