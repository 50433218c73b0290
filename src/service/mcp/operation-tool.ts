import type { Operation } from '../../payments/operation.ts';
import type { Logger } from '../../ports/logger.ts';
import { describeArgumentProblems } from '../input/argument-problems.ts';
import type { JsonObject } from '../input/json-object.ts';
import type { ObjectSchema } from '../input/json-schema.ts';
import { lazily } from '../lazily.ts';
import type { ServedOperation } from '../served-operation.ts';
import { createToolCatalogue, type ToolCatalogue } from './tool-catalogue.ts';
import { failedResult, textBlock, type Tool } from './tool.ts';

/** How many levels of objects are described: the result, and the objects directly in it. */
const TOLD_LEVELS = 2;

/** The keywords that describe a schema and the members of an object. */
const TELLING: ReadonlySet<string> = new Set([
  'description',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
]);

/**
 * The result schema of a tool as it is listed. It is short, because it occupies the context of a model: the
 * members of the result are described in full, the members of objects and lists in them by name and type, and
 * deeper values by type only. It only drops keywords, so every value valid under the full schema remains
 * valid.
 */
export function outlineSchema(schema: ObjectSchema): JsonObject {
  return outline(schema, 0);
}

/** `level` is the number of enclosing objects. */
function outline(schema: JsonObject, level: number): JsonObject {
  const kept = Object.entries(schema).filter(([keyword]) => level < TOLD_LEVELS || !TELLING.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, argument]) => [keyword, outlineArgument(keyword, argument, level)]),
  );
}

/** The argument of a keyword, with its schemas reduced to outlines. */
function outlineArgument(keyword: string, argument: unknown, level: number): unknown {
  if (keyword === 'items') return outline(argument as JsonObject, level);
  if (keyword === 'anyOf') return (argument as JsonObject[]).map((choice) => outline(choice, level));
  if (keyword !== 'properties') return argument;
  const members = Object.entries(argument as Record<string, JsonObject>);
  return Object.fromEntries(members.map(([name, member]) => [name, outline(member, level + 1)]));
}

/** The default namespace of operations, as in the hosted API (`spl.deposit`). */
const NAMESPACE = 'spl';

/** Operations that are not tools: a login returns a token, which must not end up in a model's transcript. */
const NO_TOOLS: ReadonlySet<string> = new Set(['spl.challenge', 'spl.login']);

/**
 * Annotations by effect. Building has no effect: nothing happens until the owner signs and sends the
 * transaction. It is not idempotent, as each transaction has its own blockhash. Sending is, as a ledger
 * accepts the same signed bytes once. All but the process' own tools are open-world, as they read a chain.
 */
const ANNOTATIONS = {
  build: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  send: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  local: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
} as const;

/**
 * Offers operations as tools of an MCP server.
 *
 * @throws Error if two have the same name.
 */
export function createOperationTools(operations: readonly ServedOperation[], logger: Logger): ToolCatalogue {
  const offered = operations.filter(({ operation }) => !NO_TOOLS.has(toolName(operation)));
  return createToolCatalogue(offered.map(createOperationTool), logger);
}

/** The MCP tool name of an operation. */
export const toolName = ({ namespace = NAMESPACE, name }: Pick<Operation, 'namespace' | 'name'>): string =>
  `${namespace}.${name}`;

/**
 * Offers one operation as an MCP tool. The listed result schema is an outline; the OpenAPI document has the
 * full one.
 */
export function createOperationTool(served: ServedOperation): Tool {
  const { operation } = served;
  const shape = lazily(() => outlineSchema(served.outputSchema));
  return {
    isListed: operation.isListed ?? true,
    definition: {
      name: toolName(operation),
      title: operation.title,
      description: operation.description,
      get inputSchema() {
        return served.inputSchema;
      },
      get outputSchema() {
        return shape();
      },
      annotations: ANNOTATIONS[operation.effect],
    },
    async call(args, caller) {
      const checked = served.check(args);
      if (!checked.isValid) {
        caller.noteCode?.('INVALID_ARGUMENTS');
        return failedResult(describeArgumentProblems(checked.problems));
      }
      const { token, client } = caller;
      const { output, sentences } = await served.run(checked.value, { token, client });
      return { content: sentences.map(textBlock), structuredContent: output };
    },
  };
}
