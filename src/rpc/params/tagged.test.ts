import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../json/write-json.ts';
import { string, tagged } from './readers.ts';

const read = tagged<string>({
  mint: { content: (value) => `mint ${string(value)}` },
  programId: { content: (value) => `program ${string(value)}` },
});
const withUnit = tagged<string>({
  size: { content: string },
  plain: { unit: 'plain' },
  other: { unit: 'other' },
});

const object = (...members: [string, JsonValue][]): JsonValue => new Map(members);

describe('tagged()', () => {
  it('reads the content of the named variant', () => {
    expect(read(object(['mint', 'm']))).toBe('mint m');
    expect(read(object(['programId', 'p']))).toBe('program p');
  });

  it('accepts a variant without content by its name or with null', () => {
    expect(withUnit('plain')).toBe('plain');
    expect(withUnit(object(['plain', null]))).toBe('plain');
  });

  it.each<[JsonValue, string]>([
    [5n, 'invalid type: integer `5`, expected string or map'],
    [null, 'invalid type: null, expected string or map'],
    [object(), 'invalid value: map, expected map with a single key'],
    [object(['mint', 'm'], ['programId', 'p']), 'invalid value: map, expected map with a single key'],
    [object(['bogus', 'm']), 'unknown variant `bogus`, expected `mint` or `programId`'],
    [object(['toString', 'm']), 'unknown variant `toString`, expected `mint` or `programId`'],
    ['mint', 'invalid type: unit variant, expected newtype variant'],
    [object(['mint', 5n]), 'invalid type: integer `5`, expected a string'],
  ])('rejects %s', (value, message) => {
    expect(() => read(value)).toThrow(expect.objectContaining({ name: 'ParamFault', message }));
  });

  it.each<[JsonValue, string]>([
    ['bogus', 'unknown variant `bogus`, expected one of `size`, `plain`, `other`'],
    [object(['plain', 5n]), 'invalid type: integer `5`, expected unit'],
  ])('rejects %s if there are more', (value, message) => {
    expect(() => withUnit(value)).toThrow(message);
  });
});
