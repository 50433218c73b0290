import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { writeInputSchema, writeOutputSchema } from './json-schema.ts';

describe('writeInputSchema', () => {
  it('describes what callers send, without $schema', () => {
    const schema = z.strictObject({
      amount: z
        .string()
        .transform((text) => BigInt(text))
        .describe('Base units'),
      idempotent: z.boolean().default(true),
    });
    expect(writeInputSchema(schema)).toEqual({
      type: 'object',
      properties: {
        amount: { type: 'string', description: 'Base units' },
        idempotent: { type: 'boolean', default: true },
      },
      required: ['amount'],
      additionalProperties: false,
    });
  });

  it('describes an object with arbitrary members as a plain object, for strict converters', () => {
    const schema = z.strictObject({ a: z.record(z.string(), z.unknown()), b: z.string().nullable() });
    expect(writeInputSchema(schema).properties).toEqual({
      a: { type: 'object' },
      b: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    });
  });

  it('always has properties and required', () => {
    expect(writeInputSchema(z.strictObject({}))).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    });
  });

  it.each([
    ['unknown members', z.looseObject({}), 'accepts unknown members'],
    ['a schema that is not an object', z.string(), 'accepts and returns objects'],
  ])('rejects %s', (_name, schema, message) => {
    expect(() => writeInputSchema(schema)).toThrow(message);
  });
});

describe('writeOutputSchema', () => {
  it('is open at every level', () => {
    const schema = z.strictObject({ a: z.object({ b: z.array(z.strictObject({ c: z.int() })) }) });
    const written = writeOutputSchema(schema);
    expect(JSON.stringify(written)).not.toContain('additionalProperties');
    expect(written).toMatchObject({ type: 'object', required: ['a'] });
    expect(written).not.toHaveProperty('$schema');
  });

  it('has integer bounds only if the operation does', () => {
    const schema = z.object({ any: z.int(), count: z.int().min(0), few: z.int().min(1).max(15) });
    expect(writeOutputSchema(schema).properties).toEqual({
      any: { type: 'integer' },
      count: { type: 'integer', minimum: 0 },
      few: { type: 'integer', minimum: 1, maximum: 15 },
    });
  });

  it('rejects schemas without a JSON Schema', () => {
    expect(() => writeOutputSchema(z.object({ amount: z.bigint() }))).toThrow();
  });
});
