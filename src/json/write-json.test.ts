import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from './read-json.ts';
import { Float64, type JsonOutput, quote, writeJson } from './write-json.ts';

/** JSON of every form, the names of members as this code chooses them. */
const { value: jsonValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger(),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z-]{0,8}$/), tie('value'), { maxKeys: 4 }),
  ),
}));

describe('writeJson()', () => {
  it('writes bigints by their digits, floats with a fraction, and omits undefined members', () => {
    const value = {
      rentEpoch: 18446744073709551615n,
      slot: 7,
      uiAmount: new Float64(2),
      none: undefined,
      nothing: null,
      list: [true, 'a', [], {}],
    };
    expect(writeJson(value)).toBe(
      '{"rentEpoch":18446744073709551615,"slot":7,"uiAmount":2.0,"nothing":null,"list":[true,"a",[],{}]}',
    );
  });

  it('writes an object whose only members are undefined as an empty one', () => {
    expect(writeJson({ a: undefined })).toBe('{}');
    expect(writeJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it('agrees with JSON.stringify', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(writeJson(value as JsonOutput)).toBe(JSON.stringify(value));
      }),
      { numRuns: 300 },
    );
  });

  it('writes strings that the reader reads back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readJson(quote(text)).value).toBe(text);
      }),
      { numRuns: 300 },
    );
  });
});
