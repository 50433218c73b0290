import { describe, expect, it } from 'vitest';
import { filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { STAKE_PROGRAM } from '../../programs/addresses.ts';
import { parseState } from './testing/parse-state.ts';

const U64_MAX = 18446744073709551615n;

const metaBytes = [
  ...littleEndian(2_282_880, 8),
  ...filled(1),
  ...filled(2),
  ...littleEndian(-5n, 8),
  ...littleEndian(7, 8),
  ...filled(3),
];
const meta = {
  authorized: { staker: addressFilledWith(1), withdrawer: addressFilledWith(2) },
  lockup: { custodian: addressFilledWith(3), epoch: 7n, unixTimestamp: -5n },
  rentExemptReserve: '2282880',
};
const stakeBytes = [
  ...filled(4),
  ...littleEndian(20, 8),
  ...littleEndian(2, 8),
  ...littleEndian(U64_MAX, 8),
  ...littleEndian(0, 8),
  ...littleEndian(10, 8),
  0,
];

const parse = (state: number, fields: number[] = []): unknown =>
  parseState(STAKE_PROGRAM, [...littleEndian(state, 4), ...fields]);

describe('stake accounts', () => {
  it('are shown before they are delegated', () => {
    expect(parse(1, metaBytes)).toEqual({ info: { meta, stake: null }, type: 'initialized' });
  });

  it('are shown delegated, amounts and epochs as text', () => {
    expect(parse(2, [...metaBytes, ...stakeBytes])).toEqual({
      info: {
        meta,
        stake: {
          creditsObserved: 10n,
          delegation: {
            activationEpoch: '2',
            deactivationEpoch: '18446744073709551615',
            stake: '20',
            voter: addressFilledWith(4),
          },
        },
      },
      type: 'delegated',
    });
  });

  it('may say no more than their type', () => {
    expect(parse(0)).toEqual({ type: 'uninitialized' });
    expect(parse(3)).toEqual({ type: 'rewardsPool' });
  });

  it('are not parsed from anything else', () => {
    expect(parse(4)).toBe('not parsed');
    expect(parse(1, metaBytes.slice(1))).toBe('not parsed');
    expect(parse(2, [...metaBytes, ...stakeBytes.slice(1)])).toBe('not parsed');
  });
});
