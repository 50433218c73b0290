import type { Operation } from '../../payments/operation.ts';
import type { Logger } from '../../ports/logger.ts';
import { describeArgumentProblems } from '../input/argument-problems.ts';
import type { ServedOperation } from '../served-operation.ts';
import { outlineSchema } from './schema-outline.ts';
import { failedResult, textBlock, type Tool } from './tool.ts';
import { createToolCatalogue, type ToolCatalogue } from './tool-catalogue.ts';

/**
 * Operations are listed under this namespace, as the hosted API names them (`spl.deposit`), unless they have
 * another.
 */
const NAMESPACE = 'spl';

/**
 * Operations that are no tools: what signs a wallet in hands out a token, which must not end up in a model's
 * transcript.
 */
const NO_TOOLS: ReadonlySet<string> = new Set(['spl.challenge', 'spl.login']);

/**
 * Annotations by effect. Building changes nothing: a transaction does nothing until its owner signs and sends
 * it. It is not idempotent, since each transaction has its own blockhash; sending is, since a ledger takes
 * the same signed bytes once. All look at a chain, but for what is this process' own.
 */
const ANNOTATIONS = {
  build: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  send: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  local: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
} as const;

/**
 * Offers operations as the tools of an MCP server.
 *
 * @throws Error when two have the same name.
 */
export function createOperationTools(operations: readonly ServedOperation[], logger: Logger): ToolCatalogue {
  const offered = operations.filter(({ operation }) => !NO_TOOLS.has(toolName(operation)));
  return createToolCatalogue(offered.map(createOperationTool), logger);
}

/** What the MCP tool of an operation is called. */
export const toolName = ({ namespace = NAMESPACE, name }: Pick<Operation, 'namespace' | 'name'>): string =>
  `${namespace}.${name}`;

/**
 * Offers one operation as an MCP tool. What is listed of its result is an outline: the OpenAPI document has
 * all.
 */
export function createOperationTool(served: ServedOperation): Tool {
  const { operation, inputSchema, outputSchema } = served;
  return {
    isListed: operation.isListed ?? true,
    definition: {
      name: toolName(operation),
      title: operation.title,
      description: operation.description,
      inputSchema,
      outputSchema: outlineSchema(outputSchema),
      annotations: ANNOTATIONS[operation.effect],
    },
    async call(args, { token }) {
      const checked = served.check(args);
      if (!checked.isValid) return failedResult(describeArgumentProblems(checked.problems));
      const { output, sentences } = await served.run(checked.value, { token });
      return { content: sentences.map(textBlock), structuredContent: output };
    },
  };
}
