import { describe, expect, it } from 'vitest';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../programs/addresses.ts';
import { filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { parseState } from './testing/parse-state.ts';

const U64_MAX = 18446744073709551615n;

const table = (authority: number[], addresses: number[] = []): number[] => {
  const meta = [
    ...littleEndian(1, 4),
    ...littleEndian(U64_MAX, 8),
    ...littleEndian(4711, 8),
    3,
    ...authority,
  ];
  return [...meta, ...Array.from({ length: 56 - meta.length }, () => 0), ...addresses];
};

const parse = (data: number[]): unknown => parseState(ADDRESS_LOOKUP_TABLE_PROGRAM, data);

describe('lookup tables', () => {
  it('are shown with their slots as text', () => {
    expect(parse(table([1, ...filled(1)], [...filled(7), ...filled(8)]))).toEqual({
      info: {
        addresses: [addressFilledWith(7), addressFilledWith(8)],
        authority: addressFilledWith(1),
        deactivationSlot: '18446744073709551615',
        lastExtendedSlot: '4711',
        lastExtendedSlotStartIndex: 3,
      },
      type: 'lookupTable',
    });
  });

  it('have no authority once they are frozen', () => {
    expect(parse(table([0]))).toMatchObject({ info: { addresses: [], authority: undefined } });
  });

  it('may be uninitialized', () => {
    expect(parse(Array.from({ length: 56 }, () => 0))).toEqual({ type: 'uninitialized' });
  });

  it.each<[string, number[]]>([
    ['no bytes', []],
    ['an unknown state', littleEndian(2, 4)],
    ['a truncated address', table([0], [1])],
    ['truncated metadata', table([0]).slice(0, 40)],
  ])('are not parsed from %s', (_, data) => {
    expect(parse(data)).toBe('not parsed');
  });
});
