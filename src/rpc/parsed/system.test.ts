import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import { ACCOUNTS, filled, littleEndian, parseCall } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const [A, B, C, D, E] = ACCOUNTS;
const OWNER = addressFilledWith(0xee);
const BASE = addressFilledWith(0xbb);
const U64_MAX = 18446744073709551615n;
const seed = [...littleEndian(4, 8), ...Buffer.from('seéd').subarray(0, 4)];
const seedText = 'seé';

const parse = (accountCount: number, tag: number, ...fields: number[][]): unknown =>
  parseCall(SYSTEM_PROGRAM, accountCount, [...littleEndian(tag, 4), ...fields.flat()]);

describe('System instructions', () => {
  it.each<[string, number, number, number[][], object]>([
    [
      'createAccount',
      0,
      2,
      [littleEndian(U64_MAX, 8), littleEndian(165, 8), filled(0xee)],
      { lamports: U64_MAX, newAccount: B, owner: OWNER, source: A, space: 165n },
    ],
    ['assign', 1, 1, [filled(0xee)], { account: A, owner: OWNER }],
    ['transfer', 2, 2, [littleEndian(5, 8)], { destination: B, lamports: 5n, source: A }],
    [
      'createAccountWithSeed',
      3,
      2,
      [filled(0xbb), seed, littleEndian(5, 8), littleEndian(165, 8), filled(0xee)],
      { base: BASE, lamports: 5n, newAccount: B, owner: OWNER, seed: seedText, source: A, space: 165n },
    ],
    ['advanceNonce', 4, 3, [], { nonceAccount: A, nonceAuthority: C, recentBlockhashesSysvar: B }],
    [
      'withdrawFromNonce',
      5,
      5,
      [littleEndian(5, 8)],
      {
        destination: B,
        lamports: 5n,
        nonceAccount: A,
        nonceAuthority: E,
        recentBlockhashesSysvar: C,
        rentSysvar: D,
      },
    ],
    [
      'initializeNonce',
      6,
      3,
      [filled(0xee)],
      { nonceAccount: A, nonceAuthority: OWNER, recentBlockhashesSysvar: B, rentSysvar: C },
    ],
    ['authorizeNonce', 7, 2, [filled(0xee)], { newAuthorized: OWNER, nonceAccount: A, nonceAuthority: B }],
    ['allocate', 8, 1, [littleEndian(165, 8)], { account: A, space: 165n }],
    [
      'allocateWithSeed',
      9,
      2,
      [filled(0xbb), seed, littleEndian(165, 8), filled(0xee)],
      { account: A, base: BASE, owner: OWNER, seed: seedText, space: 165n },
    ],
    [
      'assignWithSeed',
      10,
      2,
      [filled(0xbb), seed, filled(0xee)],
      { account: A, base: BASE, owner: OWNER, seed: seedText },
    ],
    [
      'transferWithSeed',
      11,
      3,
      [littleEndian(5, 8), seed, filled(0xee)],
      { destination: C, lamports: 5n, source: A, sourceBase: B, sourceOwner: OWNER, sourceSeed: seedText },
    ],
    ['upgradeNonce', 12, 1, [], { nonceAccount: A }],
  ])('shows %s', (type, tag, accountsMin, fields, info) => {
    const parsed = { info, type };
    expect(parse(accountsMin, tag, ...fields)).toEqual(parsed);
    expect(parse(accountsMin + 1, tag, ...fields, [9])).toEqual(parsed);
    expect(parse(accountsMin - 1, tag, ...fields)).toBe('not parsed');
    if (fields.length > 0) expect(parse(accountsMin, tag, ...fields.slice(1))).toBe('not parsed');
  });

  it('shows members in the order of their names', () => {
    expect(JSON.stringify(parse(2, 1, filled(0xee)))).toBe(
      JSON.stringify({ info: { account: A, owner: OWNER }, type: 'assign' }),
    );
    const created = parse(2, 3, filled(0xbb), seed, littleEndian(5, 8), littleEndian(1, 8), filled(0xee));
    expect(Object.keys((created as { info: object }).info)).toEqual([
      'base',
      'lamports',
      'newAccount',
      'owner',
      'seed',
      'source',
      'space',
    ]);
  });

  it('shows createAccountAllowPrefund with a payer only if lamports are paid', () => {
    const fields = [littleEndian(165, 8), filled(0xee)];
    const created = { newAccount: A, owner: OWNER, space: 165n };
    expect(parse(1, 13, littleEndian(0, 8), ...fields)).toEqual({
      info: created,
      type: 'createAccountAllowPrefund',
    });
    expect(parse(2, 13, littleEndian(5, 8), ...fields)).toEqual({
      info: { ...created, lamports: 5n, source: B },
      type: 'createAccountAllowPrefund',
    });
    expect(parse(1, 13, littleEndian(5, 8), ...fields)).toBe('not parsed');
  });

  it('shows instructions that our own encoder writes', () => {
    const { data } = transferLamports(addressFilledWith(1), addressFilledWith(2), 7n);
    expect(parseCall(SYSTEM_PROGRAM, 2, data)).toMatchObject({ type: 'transfer', info: { lamports: 7n } });
  });

  it.each<[string, number[]]>([
    ['no data', []],
    ['an unknown tag', littleEndian(14, 4)],
    ['a huge tag', littleEndian(0xffffffff, 4)],
    ['a seed longer than the data', [...littleEndian(10, 4), ...filled(1), ...littleEndian(U64_MAX, 8)]],
    [
      'a seed that is not UTF-8',
      [...littleEndian(10, 4), ...filled(1), ...littleEndian(1, 8), 0xff, ...filled(2)],
    ],
  ])('does not parse %s', (_, data) => {
    expect(parseCall(SYSTEM_PROGRAM, 5, data)).toBe('not parsed');
  });
});
