import type { Operation } from '../../payments/operation.ts';
import type { Logger } from '../../ports/logger.ts';
import { describeArgumentProblems } from '../input/argument-problems.ts';
import { lazily } from '../lazily.ts';
import type { ServedOperation } from '../served-operation.ts';
import { outlineSchema } from './schema-outline.ts';
import { failedResult, textBlock, type Tool } from './tool.ts';
import { createToolCatalogue, type ToolCatalogue } from './tool-catalogue.ts';

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
  const outline = lazily(() => outlineSchema(served.outputSchema));
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
        return outline();
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
