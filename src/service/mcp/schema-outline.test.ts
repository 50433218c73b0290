import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validInputs } from '../../../test/conformance/schema-inputs.ts';
import { SERVED_OPERATIONS } from '../../../test/conformance/served-operations.ts';
import { findFaults } from '../../../test/upstreams/schema-faults.ts';
import { writeOutputSchema } from '../input/json-schema.ts';
import { outlineSchema } from './tools.ts';

describe('outlineSchema', () => {
  it('keeps the members, their names and types, and nothing deeper', () => {
    const text = z.string().meta({ description: 'A text.' });
    const inner = z.object({
      text,
      deep: z.array(z.object({ text })),
      choice: z.enum(['a', 'b']).optional(),
    });
    const schema = z.object({
      text,
      one: inner.meta({ description: 'One.' }),
      some: z.array(inner).meta({ description: 'Some.' }),
      maybe: z.object({ text }).nullable(),
      byName: z.record(z.string(), z.int()),
    });
    const outlined = {
      type: 'object',
      properties: {
        text: { type: 'string' },
        deep: { type: 'array', items: { type: 'object' } },
        choice: { type: 'string', enum: ['a', 'b'] },
      },
      required: ['text', 'deep'],
    };
    expect(outlineSchema(writeOutputSchema(schema))).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string', description: 'A text.' },
        one: { ...outlined, description: 'One.' },
        some: { type: 'array', items: outlined, description: 'Some.' },
        maybe: {
          anyOf: [
            { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
            { type: 'null' },
          ],
        },
        byName: {
          type: 'object',
          propertyNames: { type: 'string' },
          additionalProperties: { type: 'integer' },
        },
      },
      required: ['text', 'one', 'some', 'maybe', 'byName'],
    });
  });

  it('keeps the names of members, including those that look like keywords', () => {
    const words = z.object({ description: z.string(), required: z.boolean(), items: z.int() });
    const { properties } = outlineSchema(writeOutputSchema(z.object({ words }))) as {
      properties: { words: { properties: object } };
    };
    expect(Object.keys(properties.words.properties)).toEqual(['description', 'required', 'items']);
  });

  it.each(SERVED_OPERATIONS)('accepts every result of $name', ({ output }) => {
    const schema = writeOutputSchema(output);
    const outlined = outlineSchema(schema);
    fc.assert(
      fc.property(validInputs(schema), (result) => {
        expect(findFaults(schema, result)).toEqual([]);
        expect(findFaults(outlined, result)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
