import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dropAbsentNulls } from './input-members.ts';

const SCHEMA = z.strictObject({
  owner: z.string(),
  validator: z.string().optional().meta({ description: 'x' }),
  private: z.boolean().default(true),
  limit: z.int().nullable().optional(),
  request: z.strictObject({ name: z.string(), hash: z.string().optional() }).optional(),
  needed: z.strictObject({ hash: z.string().optional() }),
});

const drop = (input: unknown) => dropAbsentNulls(SCHEMA, input);

describe('dropAbsentNulls()', () => {
  it('drops null for an optional member', () => {
    expect(drop({ owner: 'a', validator: null })).toEqual({ owner: 'a' });
    expect(drop({ owner: 'a', private: null })).toEqual({ owner: 'a' });
    expect(drop({ owner: 'a', request: null })).toEqual({ owner: 'a' });
  });

  it('drops it in nested objects', () => {
    expect(drop({ request: { name: 'a', hash: null } })).toEqual({ request: { name: 'a' } });
    expect(drop({ needed: { hash: null } })).toEqual({ needed: {} });
  });

  it('keeps null that the schema rejects or that has a meaning', () => {
    for (const input of [
      { owner: null },
      { limit: null },
      { request: { name: null } },
      { unknown: null },
      { needed: null },
      { toString: null },
    ]) {
      expect(drop(input)).toEqual(input);
    }
  });

  it('treats __proto__ like any other member', () => {
    const input = JSON.parse('{"owner":"a","__proto__":null,"validator":null}') as object;
    const dropped = drop(input) as object;
    expect(Object.keys(dropped)).toEqual(['owner', '__proto__']);
    expect(Object.getPrototypeOf(dropped)).toBe(Object.prototype);
  });

  it.each([[null], ['a'], [[null]], [1]])('returns %j, which is not an object, unchanged', (input) => {
    expect(drop(input)).toBe(input);
  });
});
