import type { Operation } from '../../payments/operation.ts';
import type { Logger } from '../../ports/logger.ts';
import { describeArgumentProblems } from '../input/argument-problems.ts';
import type { JsonObject } from '../input/json-object.ts';
import type { ObjectSchema } from '../input/json-schema.ts';
import { lazily } from '../lazily.ts';
import type { ServedOperation } from '../served-operation.ts';
import { createToolCatalogue, type ToolCatalogue } from './tool-catalogue.ts';
import { failedResult, textBlock, type Tool } from './tool.ts';

/** Number of described levels of objects: the result, and the objects directly in it. */
const DESCRIBED_LEVELS = 2;

/** The keywords that describe a schema and the members of an object. */
const DESCRIBING: ReadonlySet<string> = new Set([
  'description',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
]);

/**
 * Shortens the result schema of a tool for the list, which occupies the context of a model. The members of
 * the result keep their descriptions, the members of objects and lists in them keep name and type, and deeper
 * values only their type. Only keywords are dropped, so every valid value stays valid.
 */
export function outlineSchema(schema: ObjectSchema): JsonObject {
  return outline(schema, 0);
}

/** `level` is the number of enclosing objects. */
function outline(schema: JsonObject, level: number): JsonObject {
  const kept = Object.entries(schema).filter(
    ([keyword]) => level < DESCRIBED_LEVELS || !DESCRIBING.has(keyword),
  );
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

/** Operations that are not tools, because a token must not end up in a model's transcript. */
const NO_TOOLS: ReadonlySet<string> = new Set(['spl.challenge', 'spl.login']);

/**
 * Annotations by effect. Building is read-only, because nothing happens until the owner signs and sends the
 * transaction. It is not idempotent, because each transaction has its own blockhash. Sending is idempotent,
 * because a ledger accepts the same signed bytes once. All tools that read a chain are open-world.
 */
const ANNOTATIONS = {
  build: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  send: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  local: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
} as const;

/**
 * Creates the MCP tools of operations.
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
 * Creates the MCP tool of an operation. The listed result schema is shortened; the OpenAPI document has the
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
