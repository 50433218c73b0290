import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  buildOperation,
  FIXTURE_OPERATIONS,
  readOperation,
} from '../../../test/conformance/fixture-operations.ts';
import type { Operation } from '../../payments/operation.ts';
import type { JsonObject } from '../input/json-object.ts';
import { OperationGate, serveOperation } from '../served-operation.ts';
import { createOperationTool, type Tool } from './tools.ts';

const CALLER = { headers: {}, token: undefined, requestId: 'test', refusalFor: () => undefined };
const OWNER = '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE';
const tool = toolOf(buildOperation);

function toolOf(operation: Operation): Tool {
  return createOperationTool(serveOperation(operation, new OperationGate()));
}

const validArguments: fc.Arbitrary<JsonObject> = fc.record(
  {
    owner: fc.constantFrom(OWNER, '11111111111111111111111111111111'),
    amount: fc.oneof(fc.integer({ min: 1 }), fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String)),
    idempotent: fc.boolean(),
    memo: fc.string({ maxLength: 64 }),
  },
  { requiredKeys: ['owner', 'amount'] },
);

describe('createOperationTool', () => {
  it('defines the tool in full', () => {
    expect(tool.definition).toMatchObject({
      name: 'spl.build',
      title: 'Build something',
      description: 'Builds something unsigned. It does not send it.',
      inputSchema: { type: 'object', required: ['owner', 'amount'], additionalProperties: false },
      outputSchema: { type: 'object', required: ['kind', 'amount', 'requiredSigners'] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    });
    expect(toolOf(readOperation).definition.annotations).toMatchObject({ idempotentHint: true });
  });

  it.each(FIXTURE_OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'describes every argument of %s',
    (_name, operation) => {
      const { properties } = toolOf(operation).definition.inputSchema;
      for (const property of Object.values(properties as Record<string, JsonObject>)) {
        expect(property['description']).toEqual(expect.any(String));
      }
    },
  );

  it('accepts its input schema and returns its output schema', () =>
    fc.assert(
      fc.asyncProperty(validArguments, async (args) => {
        const output = z.fromJSONSchema(
          tool.definition.outputSchema as Parameters<typeof z.fromJSONSchema>[0],
        );
        const result = await tool.call(args, CALLER);
        expect(result.isError).toBeUndefined();
        expect(output.safeParse(result.structuredContent).success).toBe(true);
      }),
    ));

  it('rejects any single fault and names the argument', () => {
    const faults = fc.constantFrom<readonly [string, unknown]>(
      ['owner', undefined],
      ['owner', 'not base58'],
      ['owner', 5],
      ['amount', undefined],
      ['amount', 0],
      ['amount', 1.5],
      ['amount', 2 ** 53],
      ['amount', '-1'],
      ['amount', '1e3'],
      ['idempotent', 'yes'],
      ['memo', 'x'.repeat(65)],
      ['cluster', 'devnet'],
    );
    return fc.assert(
      fc.asyncProperty(validArguments, faults, async (args, [name, value]) => {
        const result = await tool.call({ ...args, [name]: value }, CALLER);
        expect(result).toMatchObject({ isError: true });
        expect(result.structuredContent).toBeUndefined();
        expect(result.content).toHaveLength(1);
        expect(String(result.content[0]?.['text'])).toContain(`Argument "${name}" is `);
      }),
    );
  });

  it('rejects unknown arguments even if the schema would drop them', async () => {
    const result = await toolOf(readOperation).call({ ownr: OWNER }, CALLER);
    expect(result.content).toEqual([
      { type: 'text', text: 'Argument "ownr" is not known. Did you mean "owner"?' },
    ]);
  });

  it('keeps the checks of a schema that it makes strict', async () => {
    const input = z.object({ a: z.int(), b: z.int() }).refine(({ a, b }) => a < b, 'a must be less than b');
    const strict = toolOf({ ...readOperation, input });
    expect(await strict.call({ a: 2, b: 1 }, CALLER)).toMatchObject({ isError: true });
    expect(await strict.call({ a: 1, b: 2, c: 3 }, CALLER)).toMatchObject({ isError: true });
    expect(await strict.call({ a: 1, b: 2 }, CALLER)).not.toHaveProperty('isError');
  });
});
