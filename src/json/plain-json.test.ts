import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberLiteral, readPlainJson } from './plain-json.ts';

const DEPTH_MAX = 8;

const read = (text: string) => readPlainJson(text, DEPTH_MAX);

function valueOf(text: string): unknown {
  const json = read(text);
  if (json.fault !== undefined) throw new Error(json.fault.kind);
  return json.value;
}

/** The value with the nearest double in place of each literal. */
function rounded(value: unknown): unknown {
  if (value instanceof NumberLiteral) return Number(value.literal);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]));
}

const SPACE = fc.constantFrom('', ' ', '\n', '\t\r');
const NAME = fc.constantFrom('a', 'b', 'a:b', '__proto__', '\\u0061', '');
const NUMBER = fc.oneof(
  fc.constantFrom('0', '-0', '1.0', '1e3', '0.1', '1e400', '9007199254740993', '12345678901234567890123'),
  fc.integer().map(String),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);
const STRING = fc.oneof(
  fc.string().map((text) => JSON.stringify(text)),
  fc.constantFrom('"a:1.5"', '": -0"', '"\\ud800"', '"\\ud83e\\udd96"', '"\\u003a"'),
);

/** JSON texts with repeated names, odd numbers, and colons and numbers in strings. */
const { text: JSON_TEXT } = fc.letrec<{ text: string; value: string }>((tie) => ({
  text: fc.tuple(SPACE, tie('value'), SPACE).map((parts) => parts.join('')),
  value: fc.oneof(
    { maxDepth: 9, depthIdentifier: 'json' },
    fc.constantFrom('true', 'false', 'null'),
    NUMBER,
    STRING,
    fc.array(tie('text'), { maxLength: 4, depthIdentifier: 'json' }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(SPACE, NAME, SPACE, tie('text')), { maxLength: 4, depthIdentifier: 'json' })
      .map((members) => `{${members.map(([a, name, b, value]) => `${a}"${name}"${b}:${value}`).join(',')}}`),
  ),
}));

describe('readPlainJson()', () => {
  it('reads what JSON.parse does, except what JSON.parse rounds or drops', () => {
    fc.assert(
      fc.property(JSON_TEXT, (text) => {
        const json = read(text);
        if (json.fault === undefined) expect(rounded(json.value)).toEqual(JSON.parse(text));
        else expect(['repeated', 'depth']).toContain(json.fault.kind);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '0.9999999999999999999',
    '9007199254740990.7',
    '9007199254740993',
    '-0',
    '1.0',
    '1e3',
    '1e400',
    '18446744073709551616',
  ])('keeps the characters of %s (bug: a rounded number moved money)', (text) => {
    expect(valueOf(`{"amount":${text}}`)).toEqual({ amount: new NumberLiteral(text) });
    expect(valueOf(text)).toEqual(new NumberLiteral(text));
  });

  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"amount":1,"\\u0061mount":1000000}', 'amount'],
    ['[{"x":{"b":[],"c":":","b":[]}}]', 'b'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('finds the repeated member in %s', (text, name) => {
    expect(read(text)).toEqual({ fault: { kind: 'repeated', name } });
  });

  it('reads __proto__ as an ordinary member', () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1.0}}']) {
      const value = valueOf(text);
      expect(Object.keys(value as object)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });

  it.each(['', '{', '[1,]', "{'a':1}", '{"a":01}', '[[[', 'undefined'])('rejects %j as JSON', (text) => {
    expect(read(text)).toEqual({ fault: { kind: 'syntax' } });
  });

  it('accepts the given depth', () => {
    const nested = (levels: number): string => '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2);
    expect(read(nested(8)).fault).toBeUndefined();
    expect(read(nested(10))).toEqual({ fault: { kind: 'depth' } });
    expect(read('['.repeat(20_000) + ']'.repeat(20_000))).toEqual({ fault: { kind: 'depth' } });
  });
});

describe('NumberLiteral', () => {
  it.each([
    ['1.0', 1],
    ['1e3', 1_000],
    ['1000000000000000e-15', 1],
    ['0.10', 0.1],
    ['-0.0', -0],
    ['0e99999999999', 0],
    ['9007199254740992', 9_007_199_254_740_992],
    ['0.9999999999999999999', undefined],
    ['9007199254740990.7', undefined],
    ['9007199254740993', undefined],
    ['1e400', undefined],
    ['1e-400', undefined],
    ['1e99999999999999999999', undefined],
  ])('%s is exactly %s', (literal, value) => {
    expect(new NumberLiteral(literal).exactValue).toBe(value);
  });
});
