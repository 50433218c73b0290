import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, readJson } from './read-json.ts';
import { Float64, type JsonValue } from './write-json.ts';

const read = (text: string): JsonValue => readJson(text).value;

describe('readJson()', () => {
  it.each<[string, JsonValue]>([
    ['null', null],
    ['true', true],
    ['false', false],
    [' \t\r\n"a" \n', 'a'],
    ['""', ''],
    ['"\u007f"', '\u007f'],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
    ['"\\u0041\\u00e9\\u0000"', 'A\u00e9\u0000'],
    ['"\\ud83e\\udd96"', '🦖'],
    ['"é🦖"', 'é🦖'],
    ['[]', []],
    ['[ 1 , [ ] ]', [1n, []]],
    ['{}', new Map()],
    [
      '{ "a" : 1 , "b" : { } }',
      new Map<string, JsonValue>([
        ['a', 1n],
        ['b', new Map()],
      ]),
    ],
    ['{"__proto__":1}', new Map([['__proto__', 1n]])],
  ])('reads %s', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each<[string, bigint]>([
    ['0', 0n],
    ['-1', -1n],
    ['999999999999999', 999999999999999n],
    ['9007199254740993', 9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['-9223372036854775808', -9223372036854775808n],
  ])('keeps every digit of the integer %s', (text, value) => {
    expect(read(text)).toBe(value);
  });

  it.each<[string, number]>([
    ['1.0', 1],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['12e-1', 1.2],
    ['-0', -0],
    ['18446744073709551616', 18446744073709551616],
    ['-9223372036854775809', -9223372036854775808],
    [`1${'0'.repeat(300)}`, 1e300],
    ['1e-400', 0],
  ])('distinguishes %s from an integer', (text, value) => {
    expect(read(text)).toEqual(new Float64(value));
  });

  it.each([
    '',
    ' ',
    'nul',
    'True',
    '01',
    '-',
    '+1',
    '.5',
    '1.',
    '1.e3',
    '1e',
    '1e400',
    'NaN',
    '"',
    '"\n"',
    '"\\x"',
    '"\\',
    '"\\u12g4"',
    '"\\ud800"',
    '"\\ud800\\u0041"',
    '"\\udc00"',
    '"\\ud83e🦖"',
    '[1,]',
    '[1 2]',
    '[',
    ']',
    '{"a"}',
    '{"a":1,}',
    '{a:1}',
    '{"a":1',
    '{"a":1]',
    '1 2',
    '[] x',
    '\ufeff1',
    '\u00a01',
  ])('rejects %j', (text) => {
    expect(() => readJson(text)).toThrow(JsonSyntaxError);
  });

  it('accepts at most 127 levels', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(read(nested(127))).toBeInstanceOf(Array);
    expect(() => readJson(nested(128))).toThrow(JsonSyntaxError);
    expect(read(`[${nested(126)},${nested(126)}]`)).toHaveLength(2);
  });

  it('returns the last of repeated members and reports the repetition', () => {
    const { value, repeatedNames } = readJson('{"a":1,"b":{"c":1,"c":2,"c":3},"a":4}');
    expect(value).toEqual(
      new Map<string, JsonValue>([
        ['a', 4n],
        ['b', new Map([['c', 3n]])],
      ]),
    );
    expect([...repeatedNames.values()]).toEqual([['c', 'c'], ['a']]);
    expect(repeatedNames.get(value as ReadonlyMap<string, JsonValue>)).toEqual(['a']);
  });
});
