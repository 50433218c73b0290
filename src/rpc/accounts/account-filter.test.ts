import { describe, expect, it } from 'vitest';
import { TOKEN_2022_PROGRAM } from '../../programs/addresses.ts';
import { readJson } from '../../json/read-json.ts';
import { mintData, tokenAccountData, withExtensions } from '../testing/token-accounts.ts';
import { accountFilter, testOfFilters, verifyFilters, type AccountFilter } from './account-filter.ts';

/** The filters of a JSON text, as a call has them. */
const filtersOf = (json: string): readonly AccountFilter[] =>
  verifyFilters((readJson(`[${json}]`).value as never[]).map(accountFilter));

const passes = (data: Uint8Array, json: string): boolean => testOfFilters(filtersOf(json))(data);

describe('account filters', () => {
  const data = Uint8Array.of(1, 2, 3, 4, 5);

  it.each([
    ['{"dataSize":5}', true],
    ['{"dataSize":4}', false],
    ['{"dataSize":18446744073709551615}', false],
    ['{"memcmp":{"offset":1,"bytes":"5P"}}', false],
    ['{"memcmp":{"offset":1,"bytes":"2VfUX"}}', false],
    ['{"memcmp":{"offset":1,"bytes":[2,3]}}', true],
    ['{"memcmp":{"offset":1,"bytes":[2,4]}}', false],
    ['{"memcmp":{"offset":1,"bytes":[2,3],"encoding":"bytes"}}', true],
    ['{"memcmp":{"offset":1,"bytes":"AgM=","encoding":"base64"}}', true],
    ['{"memcmp":{"offset":1,"bytes":"A","encoding":"base58"}}', false],
    ['{"memcmp":{"offset":0,"bytes":"2"}}', true],
    ['{"memcmp":{"offset":0,"bytes":"2","encoding":"bytes"}}', true],
    ['{"memcmp":{"offset":0,"bytes":"2","encoding":null}}', true],
    ['{"memcmp":{"offset":4,"bytes":[5]}}', true],
    ['{"memcmp":{"offset":4,"bytes":[5,6]}}', false],
    ['{"memcmp":{"offset":5,"bytes":[]}}', true],
    ['{"memcmp":{"offset":6,"bytes":[]}}', false],
    ['{"memcmp":{"offset":18446744073709551615,"bytes":[1]}}', false],
    ['{"dataSize":5},{"memcmp":{"offset":0,"bytes":"2"}}', true],
    ['{"dataSize":5},{"memcmp":{"offset":1,"bytes":"2"}}', false],
  ])('test five bytes by %s: %s', (json, expected) => {
    expect(passes(data, json)).toBe(expected);
  });

  const owner = TOKEN_2022_PROGRAM;
  const holding = tokenAccountData({ mint: owner, owner });

  it.each<[string, Uint8Array, boolean]>([
    ['a token account', holding, true],
    ['a frozen account', tokenAccountData({ mint: owner, owner, state: 2 }), true],
    ['an uninitialized account', tokenAccountData({ mint: owner, owner, state: 0 }), false],
    ['an account with extensions', withExtensions(holding, 2, []), true],
    ['a mint', mintData({}), false],
    ['a mint with extensions', withExtensions(mintData({}), 1, []), false],
    ['a multisig', Buffer.alloc(355, 2), false],
    ['no bytes', new Uint8Array(0), false],
  ])('decide whether %s is a token account', (_, bytes, expected) => {
    expect(passes(bytes, '"tokenAccountState"')).toBe(expected);
  });

  const bytes = (count: number): string => `[${Array.from({ length: count }, () => 1).join()}]`;

  it.each<[string, string]>([
    [
      '{"memcmp":{"offset":0,"bytes":"l"}}',
      "Base58DecodeError(InvalidCharacter { character: 'l', index: 0 })",
    ],
    ['{"memcmp":{"offset":0,"bytes":"ü"}}', 'Base58DecodeError(NonAsciiCharacter { index: 0 })'],
    [`{"memcmp":{"offset":0,"bytes":${bytes(129)}}}`, 'DataTooLarge'],
    [`{"memcmp":{"offset":0,"bytes":"${'1'.repeat(129)}"}}`, 'DataTooLarge'],
    [`{"memcmp":{"offset":0,"bytes":"${'l'.repeat(176)}"}}`, 'DataTooLarge'],
    ['{"memcmp":{"offset":0,"bytes":"AA!=","encoding":"base64"}}', 'Base64DecodeError(InvalidByte(2, 33))'],
    [`{"memcmp":{"offset":0,"bytes":"${'!'.repeat(173)}","encoding":"base64"}}`, 'DataTooLarge'],
  ])('reject %s', (json, fault) => {
    expect(() => filtersOf(json)).toThrow(
      expect.objectContaining({ code: -32602, message: `Invalid param: ${fault}` }),
    );
  });

  it('accept 128 bytes in every encoding', () => {
    const base64 = Buffer.alloc(128).toString('base64');
    for (const value of [bytes(128), `"${'1'.repeat(128)}"`, `"${base64}","encoding":"base64"`]) {
      expect(filtersOf(`{"memcmp":{"offset":0,"bytes":${value}}}`)).toHaveLength(1);
    }
  });

  it('are limited to four', () => {
    const four = Array.from({ length: 4 }, () => '{"dataSize":5}').join();
    expect(filtersOf(four)).toHaveLength(4);
    expect(() => filtersOf(`${four},{"memcmp":{"offset":0,"bytes":"l"}}`)).toThrow(
      'Too many filters provided; max 4',
    );
  });

  it.each<[string, string]>([
    ['{"bogus":5}', 'unknown variant `bogus`, expected one of `dataSize`, `memcmp`, `tokenAccountState`'],
    ['{"dataSize":"5"}', 'invalid type: string "5", expected u64'],
    ['"memcmp"', 'invalid type: unit variant, expected newtype variant'],
    ['{"memcmp":{"bytes":"a"}}', 'missing field `offset`'],
    ['{"memcmp":{"offset":0}}', 'missing field `bytes`'],
    ['{"memcmp":{"offset":-1,"bytes":"a"}}', 'invalid value: integer `-1`, expected usize'],
    ['{"memcmp":{"offset":0,"bytes":[256]}}', 'data did not match any variant of untagged enum DataType'],
    [
      '{"memcmp":{"offset":0,"bytes":"a","encoding":"hex"}}',
      'unknown variant `hex`, expected one of `base58`, `base64`, `bytes`',
    ],
    ['{"memcmp":"a"}', 'invalid type: string "a", expected struct Memcmp'],
  ])('name what is wrong with %s', (json, message) => {
    expect(() => filtersOf(json)).toThrow(expect.objectContaining({ name: 'ParamFault', message }));
  });
});
