import { describe, expect, it } from 'vitest';
import { TOKEN_2022_PROGRAM } from '../../programs/addresses.ts';
import { ACCOUNTS, filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { parseNamed } from './testing/parse-named.ts';

const [A, B, C, D, E] = ACCOUNTS;
const KEY = addressFilledWith(0xee);
const key = filled(0xee);
const none = filled(0);
const u64 = (value: number): number[] => littleEndian(value, 8);
const text = (value: string): number[] => [...littleEndian(value.length, 4), ...Buffer.from(value)];

/** The discriminators as they are on the wire (`SPL_DISCRIMINATOR_SLICE` of the two interfaces). */
const INITIALIZE_GROUP = [121, 113, 108, 39, 54, 51, 0, 4];
const UPDATE_MAX_SIZE = [108, 37, 171, 143, 248, 30, 18, 110];
const UPDATE_GROUP_AUTHORITY = [161, 105, 88, 1, 237, 221, 216, 203];
const INITIALIZE_MEMBER = [152, 32, 222, 176, 223, 237, 116, 134];
const INITIALIZE_METADATA = [210, 225, 30, 162, 88, 184, 77, 141];
const UPDATE_FIELD = [221, 233, 49, 45, 181, 202, 220, 200];
const REMOVE_KEY = [234, 18, 32, 56, 89, 141, 37, 181];
const UPDATE_METADATA_AUTHORITY = [215, 228, 166, 228, 84, 100, 86, 123];
const EMIT = [250, 166, 180, 250, 13, 12, 184, 70];

const parse = (accountCount: number, ...data: number[][]): unknown =>
  parseNamed(TOKEN_2022_PROGRAM, ACCOUNTS.slice(0, accountCount), data.flat());

describe('instructions of the token group and token metadata interfaces', () => {
  const updated = { metadata: A, updateAuthority: B };

  it.each<[string, number, number[][], object]>([
    [
      'initializeTokenGroup',
      3,
      [INITIALIZE_GROUP, none, u64(300)],
      { group: A, maxSize: 300n, mint: B, mintAuthority: C, updateAuthority: null },
    ],
    [
      'updateTokenGroupMaxSize',
      2,
      [UPDATE_MAX_SIZE, u64(500)],
      { group: A, maxSize: 500n, updateAuthority: B },
    ],
    [
      'updateTokenGroupAuthority',
      2,
      [UPDATE_GROUP_AUTHORITY, key],
      { group: A, newAuthority: KEY, updateAuthority: B },
    ],
    [
      'initializeTokenGroupMember',
      5,
      [INITIALIZE_MEMBER],
      { group: D, groupUpdateAuthority: E, member: A, memberMint: B, memberMintAuthority: C },
    ],
    [
      'initializeTokenMetadata',
      4,
      [INITIALIZE_METADATA, text('Mega Token'), text('MEGA'), text('https://mega.com')],
      { ...updated, mint: C, mintAuthority: D, name: 'Mega Token', symbol: 'MEGA', uri: 'https://mega.com' },
    ],
    ['updateTokenMetadataField', 2, [UPDATE_FIELD, [2], text('u')], { ...updated, field: 'uri', value: 'u' }],
    [
      'updateTokenMetadataField',
      2,
      [UPDATE_FIELD, [3], text('new_field'), text('v')],
      { ...updated, field: 'new_field', value: 'v' },
    ],
    ['removeTokenMetadataKey', 2, [REMOVE_KEY, [1], text('k')], { ...updated, idempotent: true, key: 'k' }],
    [
      'updateTokenMetadataAuthority',
      2,
      [UPDATE_METADATA_AUTHORITY, none],
      { ...updated, newAuthority: null },
    ],
    ['emitTokenMetadata', 1, [EMIT, [1], u64(1), [0]], { end: undefined, metadata: A, start: 1n }],
    ['emitTokenMetadata', 1, [EMIT, [0], [1], u64(2)], { end: 2n, metadata: A, start: undefined }],
  ])('show %s', (type, accountsMin, data, info) => {
    expect(parse(accountsMin, ...data)).toEqual({ info, type });
    expect(parse(accountsMin - 1, ...data)).toBe('not parsed');
    expect(parse(accountsMin, ...data, [0])).toBe('not parsed');
  });

  it('are not parsed with an unknown discriminator or field', () => {
    expect(parse(5, [121, 113, 108, 39, 54, 51, 0, 5], none, u64(1))).toBe('not parsed');
    expect(parse(5, INITIALIZE_GROUP.slice(0, 7))).toBe('not parsed');
    expect(parse(5, UPDATE_FIELD, [4], text('u'))).toBe('not parsed');
  });
});
