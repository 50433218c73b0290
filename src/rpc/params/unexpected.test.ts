import { describe, expect, it } from 'vitest';
import { readJson } from '../../json/read-json.ts';
import { debugString, debugValue, describeUnexpected } from './param-reader.ts';

describe('describeUnexpected()', () => {
  it.each([
    ['null', 'null'],
    ['true', 'boolean `true`'],
    ['-5', 'integer `-5`'],
    ['18446744073709551615', 'integer `18446744073709551615`'],
    ['1.0', 'floating point `1.0`'],
    ['"a\\"b"', 'string "a\\"b"'],
    ['[1]', 'sequence'],
    ['{"a":1}', 'map'],
  ])('names %s', (text, expected) => {
    expect(describeUnexpected(readJson(text).value)).toBe(expected);
  });
});

describe('debugValue()', () => {
  it('prints as Rust prints a serde_json value, members by their names', () => {
    const { value } = readJson('{"b":[null,true,1,1.0,"x"],"a":{}}');
    expect(debugValue(value)).toBe(
      'Object {"a": Object {}, "b": Array [Null, Bool(true), Number(1), Number(1.0), String("x")]}',
    );
  });
});

describe('debugString()', () => {
  it.each([
    [`it's "quoted" \\`, `"it's \\"quoted\\" \\\\"`],
    ['\0\t\n\r', '"\\0\\t\\n\\r"'],
    ['\u0001\u007f', '"\\u{1}\\u{7f}"'],
    ['é🦖', '"é🦖"'],
    ['a\u200bb\u00a0c', '"a\\u{200b}b\\u{a0}c"'],
    ['e\u0301', '"e\\u{301}"'],
  ])('prints %j', (text, expected) => {
    expect(debugString(text)).toBe(expected);
  });
});
