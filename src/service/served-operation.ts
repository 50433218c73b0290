import { z } from 'zod';
import { dropAbsentNulls, nameMembers } from '../payments/fields/input-members.ts';
import type { Operation, OperationCaller, OperationResult } from '../payments/operation.ts';
import { type ArgumentProblems, findArgumentProblems } from './input/argument-problems.ts';
import { settleNumbers } from './input/exact-numbers.ts';
import type { JsonObject } from './input/json-object.ts';
import { type ObjectSchema, writeInputSchema, writeOutputSchema } from './input/json-schema.ts';
import { lazily } from './lazily.ts';
import type { OperationGate } from './operation-gate.ts';

/** A checked input, or its faults. */
type CheckedInput =
  | { readonly isValid: true; readonly value: unknown }
  | { readonly isValid: false; readonly problems: ArgumentProblems };

/**
 * An operation ready to be served over MCP and REST, with its runs limited. Its schemas are written out when
 * they are first asked for, and throw then if they are not objects or have no JSON Schema.
 */
export interface ServedOperation {
  readonly operation: Operation;
  /** JSON Schema of the input. */
  readonly inputSchema: ObjectSchema;
  /** JSON Schema of the result. */
  readonly outputSchema: ObjectSchema;
  /** Checks a caller's input. Null for an optional member counts as absent. */
  check(input: JsonObject): CheckedInput;
  /** Runs with a checked value. Throws what the operation and the gate throw. */
  run(value: unknown, caller: OperationCaller): Promise<OperationResult<object>>;
}

/**
 * Prepares an operation for serving. Members unknown to its schema are refused even if the schema would drop
 * them: a misspelt option must not pass unnoticed where money moves.
 */
export function serveOperation(operation: Operation, gate: OperationGate): ServedOperation {
  const input = operation.input instanceof z.ZodObject ? operation.input.strict() : operation.input;
  const inputSchema = lazily(() => writeInputSchema(input));
  const outputSchema = lazily(() => writeOutputSchema(operation.output));
  return {
    operation,
    get inputSchema() {
      return inputSchema();
    },
    get outputSchema() {
      return outputSchema();
    },
    check(given) {
      const named = nameMembers(operation.otherNames, given);
      const args = dropAbsentNulls(input, settleNumbers(named)) as JsonObject;
      const parsed = input.safeParse(args);
      if (parsed.success) return { isValid: true, value: parsed.data };
      return { isValid: false, problems: findArgumentProblems(parsed.error.issues, args, inputSchema()) };
    },
    run: (value, caller) => gate.run(() => operation.run(value, caller)),
  };
}
