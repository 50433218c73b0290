import { assert, bigInt, json as anyJson, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExact } from './parse-exact.ts';

describe('parseExact', () => {
  it.each([
    ['18446744073709551615', '18446744073709551615'],
    ['[9007199254740993,-9007199254740993]', ['9007199254740993', '-9007199254740993']],
    ['{"rentEpoch":18446744073709551615 ,"slot":5}', { rentEpoch: '18446744073709551615', slot: 5 }],
    ['999999999999999', 999_999_999_999_999],
    [
      '{"a":1e16,"b":1234567890123456.5,"c":1.2345678901234567e18}',
      { a: 1e16, b: 1234567890123456.5, c: Number('1.2345678901234567e18') },
    ],
    ['["1234567890123456789", 1234567890123456789]', ['1234567890123456789', '1234567890123456789']],
    [
      String.raw`["\"", 12345678901234567, "\\", 12345678901234567]`,
      ['"', '12345678901234567', '\\', '12345678901234567'],
    ],
    [String.raw`"a\\\" 12345678901234567"`, '"a\\" 12345678901234567"'.slice(1, -1)],
    ['{"12345678901234567":12345678901234567}', { '12345678901234567': '12345678901234567' }],
  ] as [string, unknown][])('reads %s', (text, value) => {
    expect(parseExact(text)).toEqual(typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value);
  });

  it.each(['', '{', '["12345678901234567', '12345678901234567 1', '{"a":12345678901234567,}'])(
    'refuses %j as JSON.parse does',
    (text) => {
      expect(() => parseExact(text)).toThrow(SyntaxError);
    },
  );

  it('agrees with JSON.parse on everything but long integers', () => {
    assert(
      property(anyJson(), bigInt({ min: 10n ** 15n, max: 2n ** 64n - 1n }), (json, integer) => {
        const [value, long] = parseExact(`[${json}, ${integer}]`) as [unknown, string];
        expect(long).toBe(String(integer));
        if (!/\d{16}/.test(json)) expect(value).toEqual(JSON.parse(json));
      }),
    );
  });

  it('reads a long text of escapes in a moment', () => {
    const text = `["${'\\\\'.repeat(200_000)}",${'"\\""'},12345678901234567]`;
    expect((parseExact(text) as unknown[])[2]).toBe('12345678901234567');
  });
});
