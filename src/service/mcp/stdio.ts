import { failureFields } from '../../errors/failure-fields.ts';
import type { Operation } from '../../payments/operation.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import { readJson } from '../json-body.ts';
import { OperationGate, type OperationLimits } from '../operation-gate.ts';
import { bodyTooLarge, INTERNAL_ERROR } from '../refusal.ts';
import type { Reply } from '../reply.ts';
import { makeRequestId } from '../request-context.ts';
import { serveOperation } from '../served-operation.ts';
import { createLegacyEra, createModernEra } from './eras.ts';
import { refuseRequest, writeRpcRefusal } from './json-rpc.ts';
import { findIdOf, isBlank, type Line, type LineStreams, serveLines, type StdioServer } from './lines.ts';
import { answerMessage, type Eras } from './mcp-exchange.ts';
import { createOperationTools } from './operation-tool.ts';
import type { McpCaller } from './tool.ts';

/** Longest message, bytes; the same as over HTTP. */
export const LINE_BYTES_MAX = 64 * 1024;

/** Options of {@link serveStdio}. */
export interface StdioOptions extends LineStreams {
  readonly operations: readonly Operation[];
  /** Operations offered only as tools. */
  readonly toolOperations?: readonly Operation[];
  readonly logger: Logger;
  readonly random: Random;
  /** The user's bearer token for private reads, because there are no headers. */
  readonly token?: string;
  /** Limits on running operations that differ from `OPERATION_LIMITS`. */
  readonly operationLimits?: Partial<OperationLimits>;
}

/**
 * Serves the operations as MCP tools over stdio (MCP 2025-11-25, transports, stdio): one JSON-RPC message per
 * line, in both directions. Tools and revisions are the same as over HTTP. Responses may be out of order.
 *
 * @throws Error if two tools have the same name.
 */
export function serveStdio(options: StdioOptions): StdioServer {
  const session = new StdioSession(options);
  return serveLines(options, LINE_BYTES_MAX, (line) => session.take(line));
}

class StdioSession {
  readonly #eras: Eras;
  readonly #options: StdioOptions;

  constructor(options: StdioOptions) {
    const { operations, toolOperations = [], operationLimits, logger } = options;
    const gate = new OperationGate(operationLimits);
    const tools = createOperationTools(
      [...operations, ...toolOperations].map((operation) => serveOperation(operation, gate)),
      logger,
    );
    this.#options = options;
    this.#eras = { legacy: createLegacyEra(tools), modern: createModernEra(tools) };
  }

  /**
   * Returns the response to the message in a line; undefined for blank lines and messages without a response.
   */
  take(line: Line): Reply | undefined | Promise<Reply> {
    if (!Buffer.isBuffer(line)) return refuseRequest(bodyTooLarge(LINE_BYTES_MAX), findIdOf(line));
    if (isBlank(line)) return undefined;
    const { value, refusal } = readJson(line);
    return refusal === undefined ? this.#serve(value) : writeRpcRefusal(refusal);
  }

  async #serve(message: unknown): Promise<Reply> {
    const { logger, random, token } = this.#options;
    const caller: McpCaller = { headers: undefined, token, requestId: makeRequestId(random) };
    try {
      return await answerMessage(this.#eras, caller, message);
    } catch (error) {
      logger.error({ requestId: caller.requestId, ...failureFields(error) }, 'a message failed unexpectedly');
      return writeRpcRefusal(INTERNAL_ERROR);
    }
  }
}
