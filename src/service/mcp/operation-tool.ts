import { z } from 'zod';
import type { Operation } from '../../payments/operation.ts';
import { readBearerToken } from '../bearer-token.ts';
import { describeArgumentProblems } from './argument-problems.ts';
import { writeInputSchema, writeOutputSchema } from './json-schema.ts';
import { failedResult, textBlock, type Tool } from './tool.ts';

/** Operations are listed under this prefix, as the hosted API names them (`spl.deposit`). */
const NAME_PREFIX = 'spl.';

/**
 * Annotations by effect. Building changes nothing: a transaction does nothing until its owner signs and sends it. It is
 * not idempotent, since each transaction has its own blockhash; sending is, since a ledger takes the same signed bytes
 * once. All look at a chain.
 */
const ANNOTATIONS = {
  build: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  send: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
} as const;

/**
 * Offers an operation as an MCP tool. Arguments that its schema does not know are refused even if the schema would
 * drop them: a misspelt option must not pass unnoticed where money is moved.
 *
 * @throws Error when its schemas do not describe objects or have no JSON Schema.
 */
export function createOperationTool(operation: Operation): Tool {
  const input = operation.input instanceof z.ZodObject ? operation.input.strict() : operation.input;
  const inputSchema = writeInputSchema(input);
  return {
    definition: {
      name: NAME_PREFIX + operation.name,
      title: operation.title,
      description: operation.description,
      inputSchema,
      outputSchema: writeOutputSchema(operation.output),
      annotations: ANNOTATIONS[operation.effect],
    },
    async call(args, { headers }) {
      const parsed = input.safeParse(args);
      if (!parsed.success)
        return failedResult(describeArgumentProblems(parsed.error.issues, args, inputSchema));
      const { output, sentences } = await operation.run(parsed.data, {
        token: readBearerToken(headers.authorization),
      });
      return { content: sentences.map(textBlock), structuredContent: output };
    },
  };
}
