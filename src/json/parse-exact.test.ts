import { assert, bigInt, json as anyJson, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExact } from './parse-json.ts';

describe('parseExact', () => {
  it.each([
    ['{"a":9007199254740993,"b":-9007199254740993}', { a: '9007199254740993', b: '-9007199254740993' }],
    ['{"rentEpoch": 18446744073709551615 ,"slot":5}', { rentEpoch: '18446744073709551615', slot: 5 }],
    ['{"":999999999999999,"a":"","":1234567890123456}', { '': '1234567890123456', a: '' }],
    [
      '{"a":1e16,"b":1234567890123456.5,"c":1.2345678901234567e18}',
      { a: 1e16, b: 1234567890123456.5, c: Number('1.2345678901234567e18') },
    ],
    [
      '{"a":"1234567890123456789", "b":1234567890123456789}',
      { a: '1234567890123456789', b: '1234567890123456789' },
    ],
    [
      String.raw`{"\"a":12345678901234567,"b":"\":12345678901234567,","c":12345678901234567}`,
      { '"a': '12345678901234567', b: '":12345678901234567,', c: '12345678901234567' },
    ],
    ['{"12345678901234567":12345678901234567}', { '12345678901234567': '12345678901234567' }],
  ] as [string, unknown][])('reads %s', (text, value) => {
    expect(parseExact(text)).toEqual(typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value);
  });

  it.each(['', '{', '["12345678901234567', '{"a":12345678901234567,}'])(
    'rejects %j like JSON.parse',
    (text) => {
      expect(() => parseExact(text)).toThrow(SyntaxError);
    },
  );

  it('agrees with JSON.parse on everything but long integers', () => {
    assert(
      property(anyJson(), bigInt({ min: 10n ** 15n, max: 2n ** 64n - 1n }), (json, integer) => {
        const [value, long] = Object.values(parseExact(`{"a":${json},"b":${integer}}`) as object);
        expect(long).toBe(String(integer));
        if (!/\d{16}/.test(json)) expect(value).toEqual(JSON.parse(json));
      }),
    );
  });

  it('reads a long text of escapes quickly', () => {
    const text = `{"a":"${String.raw`\\\":1`.repeat(100_000)}","b":12345678901234567}`;
    expect(parseExact(text)).toMatchObject({ b: '12345678901234567' });
  });
});
