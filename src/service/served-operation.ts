import { z } from 'zod';
import { NumberLiteral } from '../json/plain-json.ts';
import { dropAbsentNulls, nameMembers } from '../payments/fields/input-members.ts';
import type { Operation, OperationCaller, OperationResult } from '../payments/operation.ts';
import { type ArgumentProblems, findArgumentProblems } from './input/argument-problems.ts';
import type { JsonObject } from './input/json-object.ts';
import { type ObjectSchema, writeInputSchema, writeOutputSchema } from './input/json-schema.ts';
import { lazily } from './lazily.ts';
import type { OperationGate } from './operation-gate.ts';

/**
 * Replaces number literals in a JSON value with JavaScript numbers. A literal that would change its value
 * (0.9999999999999999999 would become 1) becomes NaN, which every schema rejects with its own message.
 */
export function settleNumbers(value: unknown): unknown {
  return hasLiteral(value) ? settle(value) : value;
}

/** Values without literals, almost all, are not copied. */
function hasLiteral(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof NumberLiteral || Object.values(value).some(hasLiteral);
}

function settle(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof NumberLiteral) return value.exactValue ?? Number.NaN;
  if (Array.isArray(value)) return value.map(settle);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, settle(member)]));
}

/** A checked input, or its faults. */
type CheckedInput =
  | { readonly isValid: true; readonly value: unknown }
  | { readonly isValid: false; readonly problems: ArgumentProblems };

/**
 * An operation that MCP and REST serve through a gate. Its schemas are written on first use, and throw then
 * if they are not objects or have no JSON Schema.
 */
export interface ServedOperation {
  readonly operation: Operation;
  /** JSON Schema of the input. */
  readonly inputSchema: ObjectSchema;
  /** JSON Schema of the result. */
  readonly outputSchema: ObjectSchema;
  /** Checks a caller's input. Null for an optional member means absent. */
  check(input: JsonObject): CheckedInput;
  /** Runs the operation with a checked value. Throws what the operation and the gate throw. */
  run(value: unknown, caller: OperationCaller): Promise<OperationResult<object>>;
}

/**
 * Prepares an operation for MCP and REST. Unknown members are rejected even if the schema would drop them,
 * because a misspelt option must not go unnoticed when money moves.
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
