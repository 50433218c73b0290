import { failureFields } from '../../errors/failure-fields.ts';
import type { SuggestValue } from '../../payments/fields/suggest-value.ts';
import type { Operation } from '../../payments/operation.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import { INTERNAL_ERROR } from '../refusal.ts';
import { makeRequestId } from '../request-context.ts';
import { OperationGate, type OperationLimits, serveOperation } from '../served-operation.ts';
import { answerMessage, createLegacyEra, createModernEra, type Eras } from './exchange.ts';
import { writeRpcRefusal } from './json-rpc.ts';
import { type LineStreams, serveLines, type StdioServer } from './lines.ts';
import { createOperationTools, type McpCaller } from './tools.ts';

/** Options of {@link serveStdio}. */
export interface StdioOptions extends LineStreams {
  readonly operations: readonly Operation[];
  /** Operations offered only as tools. */
  readonly toolOperations?: readonly Operation[];
  readonly logger: Logger;
  readonly random: Random;
  /** The user's bearer token for private reads, because stdio has no headers. */
  readonly token?: string;
  readonly suggest?: SuggestValue;
  readonly operationLimits?: Partial<OperationLimits>;
}

/**
 * Serves the operations as MCP tools over stdio (MCP 2025-11-25, transports, stdio): one JSON-RPC message per
 * line, in both directions. Tools and revisions are the same as over HTTP. Responses may be out of order.
 *
 * @throws Error if two tools have the same name.
 */
export function serveStdio(options: StdioOptions): StdioServer {
  const { operations, toolOperations = [], operationLimits, logger, random, token, suggest } = options;
  const gate = new OperationGate(operationLimits);
  const tools = createOperationTools(
    [...operations, ...toolOperations].map((operation) => serveOperation(operation, gate, suggest)),
    logger,
  );
  const eras: Eras = { legacy: createLegacyEra(tools), modern: createModernEra(tools) };
  return serveLines(options, async (message) => {
    const caller: McpCaller = {
      headers: undefined,
      token,
      requestId: makeRequestId(random),
      // The user has launched the program, so every tool is allowed.
      refusalFor: () => undefined,
    };
    try {
      return await answerMessage(eras, caller, message);
    } catch (error) {
      logger.error({ requestId: caller.requestId, ...failureFields(error) }, 'a message failed unexpectedly');
      return writeRpcRefusal(INTERNAL_ERROR);
    }
  });
}
