import { describe, expect, it } from 'vitest';
import { BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import { ACCOUNTS, littleEndian, parseCall } from '../testing/parse-call.ts';

const [A, B, C, D, E, F, G, H] = ACCOUNTS;

const parse = (accountCount: number, tag: number, fields: number[] = []): unknown =>
  parseCall(BPF_LOADER_UPGRADEABLE, accountCount, [...littleEndian(tag, 4), ...fields]);

describe('upgradeable loader instructions', () => {
  it.each<[string, number, number, number[], object]>([
    ['initializeBuffer', 0, 1, [], { account: A, authority: undefined }],
    [
      'write',
      1,
      2,
      [...littleEndian(7, 4), ...littleEndian(2, 8), 1, 2],
      { account: A, authority: B, bytes: 'AQI=', offset: 7 },
    ],
    [
      'deployWithMaxDataLen',
      2,
      8,
      [...littleEndian(54_321, 8), 1],
      {
        authority: H,
        bufferAccount: D,
        clockSysvar: F,
        maxDataLen: 54_321n,
        payerAccount: A,
        programAccount: C,
        programDataAccount: B,
        rentSysvar: E,
        systemProgram: G,
      },
    ],
    [
      'upgrade',
      3,
      7,
      [],
      {
        authority: G,
        bufferAccount: C,
        clockSysvar: F,
        programAccount: B,
        programDataAccount: A,
        rentSysvar: E,
        spillAccount: D,
      },
    ],
    ['setAuthority', 4, 2, [], { account: A, authority: B, newAuthority: null }],
    ['close', 5, 3, [], { account: A, authority: C, programAccount: null, recipient: B }],
    [
      'extendProgram',
      6,
      2,
      littleEndian(1024, 4),
      {
        additionalBytes: 1024,
        payerAccount: null,
        programAccount: B,
        programDataAccount: A,
        systemProgram: null,
      },
    ],
    ['setAuthorityChecked', 7, 3, [], { account: A, authority: B, newAuthority: C }],
  ])('show %s', (type, tag, accountsMin, fields, info) => {
    expect(parse(accountsMin, tag, fields)).toEqual({ info, type });
    expect(parse(accountsMin - 1, tag, fields)).toBe('not parsed');
  });

  it.each<[number, number, number[], object]>([
    [0, 2, [], { authority: B }],
    [4, 3, [], { newAuthority: C }],
    [5, 4, [], { programAccount: D }],
    [6, 4, littleEndian(1, 4), { payerAccount: D, systemProgram: C }],
  ])('show accounts that may be named (tag %d)', (tag, accountCount, fields, info) => {
    expect(parse(accountCount, tag, fields)).toMatchObject({ info });
  });

  it('are not parsed with an unknown tag or fields that are cut off', () => {
    expect(parse(8, 99)).toBe('not parsed');
    expect(parse(8, 2, [1, 2, 3])).toBe('not parsed');
    expect(parse(8, 1, [...littleEndian(7, 4), ...littleEndian(2n ** 63n, 8)])).toBe('not parsed');
  });
});
