import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { parseState } from './testing/parse-state.ts';

const nonce = (version: number, state: number): number[] => [
  ...littleEndian(version, 4),
  ...littleEndian(state, 4),
  ...filled(1),
  ...filled(2),
  ...littleEndian(5000, 8),
];

describe('durable nonces', () => {
  it.each([0, 1])('of version %d are shown', (version) => {
    expect(parseState(SYSTEM_PROGRAM, nonce(version, 1))).toEqual({
      info: {
        authority: addressFilledWith(1),
        blockhash: addressFilledWith(2),
        feeCalculator: { lamportsPerSignature: '5000' },
      },
      type: 'initialized',
    });
  });

  it.each<[string, number[]]>([
    ['a wallet', []],
    ['80 zeros', Array.from({ length: 80 }, () => 0)],
    ['an unknown version', nonce(2, 1)],
    ['an unknown state', nonce(1, 2)],
    ['a truncated nonce', nonce(1, 1).slice(0, 79)],
  ])('are not seen in %s', (_, data) => {
    expect(parseState(SYSTEM_PROGRAM, data)).toBe('not parsed');
  });
});
