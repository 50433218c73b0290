import { describe, expect, it } from 'vitest';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../programs/addresses.ts';
import { ACCOUNTS, filled, littleEndian, parseCall } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const [A, B, C, D] = ACCOUNTS;
const table = { lookupTableAccount: A, lookupTableAuthority: B };
const twoAddresses = [...littleEndian(2, 8), ...filled(7), ...filled(8)];
const newAddresses = [addressFilledWith(7), addressFilledWith(8)];

const parse = (accountCount: number, tag: number, fields: number[] = []): unknown =>
  parseCall(ADDRESS_LOOKUP_TABLE_PROGRAM, accountCount, [...littleEndian(tag, 4), ...fields]);

describe('Address Lookup Table instructions', () => {
  it.each<[string, number, number, number[], object]>([
    [
      'createLookupTable',
      0,
      4,
      [...littleEndian(4711, 8), 254],
      { ...table, payerAccount: C, systemProgram: D, recentSlot: 4711n, bumpSeed: 254 },
    ],
    ['freezeLookupTable', 1, 2, [], table],
    ['extendLookupTable', 2, 2, twoAddresses, { ...table, newAddresses }],
    ['deactivateLookupTable', 3, 2, [], table],
    ['closeLookupTable', 4, 3, [], { ...table, recipient: C }],
  ])('shows %s', (type, tag, accountsMin, fields, info) => {
    expect(parse(accountsMin, tag, fields)).toEqual({ info, type });
    expect(parse(accountsMin - 1, tag, fields)).toBe('not parsed');
  });

  it('shows who pays for an extension, if anyone does', () => {
    expect(parse(3, 2, twoAddresses)).toEqual({
      info: { ...table, newAddresses },
      type: 'extendLookupTable',
    });
    expect(parse(4, 2, twoAddresses)).toEqual({
      info: { ...table, newAddresses, payerAccount: C, systemProgram: D },
      type: 'extendLookupTable',
    });
  });

  it.each<[string, number, number[]]>([
    ['an unknown tag', 5, []],
    ['more addresses than the bytes contain', 2, [...littleEndian(2n ** 63n, 8), ...filled(7)]],
    ['no slot', 0, []],
  ])('does not parse %s', (_, tag, fields) => {
    expect(parse(4, tag, fields)).toBe('not parsed');
  });
});
