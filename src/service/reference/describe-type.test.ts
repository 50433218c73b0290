import { describe, expect, it } from 'vitest';
import { describeType } from './operation-section.ts';

describe('describeType', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer', minimum: 1, maximum: 15 }, 'integer from 1 up to 15'],
    [{ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, 'integer'],
    [{ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] }, 'integer from 1, or string'],
    [{ anyOf: [{ type: 'string' }, { type: 'string' }] }, 'string'],
    [{ enum: ['base', 'ephemeral'], type: 'string' }, '"base" or "ephemeral"'],
    [{ const: 'deposit' }, '"deposit"'],
    [{ type: 'array', items: { type: 'string' } }, 'array of string'],
    [{ type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 10 }, 'array of string, 1 to 10'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{}, 'any'],
  ])('of %j is %s', (schema, words) => {
    expect(describeType(schema)).toBe(words);
  });
});
