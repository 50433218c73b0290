import { describe, expect, it } from 'vitest';
import { Float64, type JsonValue } from '../../json/write-json.ts';
import type { ParamReader } from './param-reader.ts';
import { baseUnits, bool, sequence, string, u64, u8, usize, variant } from './readers.ts';

const U64_MAX = 18446744073709551615n;

describe('primitive readers', () => {
  it.each<[string, ParamReader<unknown>, JsonValue, unknown]>([
    ['a string', string, 'x', 'x'],
    ['a boolean', bool, true, true],
    ['the largest u8', u8, 255n, 255],
    ['the largest u64', u64, U64_MAX, U64_MAX],
    ['the largest usize', usize, U64_MAX, U64_MAX],
    ['a sequence', sequence(u8), [1n, 2n], [1, 2]],
    ['base units as a number', baseUnits, U64_MAX, U64_MAX],
    ['base units as a string', baseUnits, '18446744073709551615', U64_MAX],
  ])('accept %s', (_, read, value, expected) => {
    expect(read(value)).toEqual(expected);
  });

  it.each<[ParamReader<unknown>, JsonValue, string]>([
    [string, 1n, 'invalid type: integer `1`, expected a string'],
    [bool, null, 'invalid type: null, expected a boolean'],
    [u8, 256n, 'invalid value: integer `256`, expected u8'],
    [u64, -1n, 'invalid value: integer `-1`, expected u64'],
    [usize, new Float64(1), 'invalid type: floating point `1.0`, expected usize'],
    [sequence(u8), 'x', 'invalid type: string "x", expected a sequence'],
    [sequence(u8), ['x'], 'invalid type: string "x", expected u8'],
    [baseUnits, '-1', 'invalid type: string "-1", expected u64 as an integer or a decimal string'],
    [baseUnits, '1.5', 'invalid type: string "1.5", expected u64 as an integer or a decimal string'],
    [baseUnits, '', 'invalid type: string "", expected u64 as an integer or a decimal string'],
    [
      baseUnits,
      '18446744073709551616',
      'invalid value: integer `18446744073709551616`, expected u64 as an integer or a decimal string',
    ],
  ])('reject other types (%#)', (read, value, message) => {
    expect(() => read(value)).toThrow(message);
  });
});

describe('variant()', () => {
  const three = variant(['one', 'two', 'three']);

  it.each<[JsonValue, string]>([
    ['two', 'two'],
    [new Map([['two', null]]), 'two'],
  ])('accepts a name as serde_json does (%#)', (value, name) => {
    expect(three(value)).toBe(name);
  });

  it.each<[ParamReader<string>, JsonValue, string]>([
    [three, 'four', 'unknown variant `four`, expected one of `one`, `two`, `three`'],
    [variant(['one', 'two']), 'four', 'unknown variant `four`, expected `one` or `two`'],
    [three, null, 'invalid type: null, expected string or map'],
    [three, [], 'invalid type: sequence, expected string or map'],
    [three, new Map(), 'invalid value: map, expected map with a single key'],
    [
      three,
      new Map([
        ['one', null],
        ['two', null],
      ]),
      'invalid value: map, expected map with a single key',
    ],
    [three, new Map([['four', null]]), 'unknown variant `four`, expected one of `one`, `two`, `three`'],
    [three, new Map([['one', 1n]]), 'invalid type: integer `1`, expected unit'],
  ])('rejects unknown variants (%#)', (read, value, message) => {
    expect(() => read(value)).toThrow(message);
  });
});
