import type { Readable, Writable } from 'node:stream';
import type { Operation } from '../../payments/operation.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import { failureFields } from '../../errors/failure-fields.ts';
import { readJson } from '../json-body.ts';
import { OperationGate, type OperationLimits } from '../operation-gate.ts';
import { bodyTooLarge, INTERNAL_ERROR, type Refusal } from '../refusal.ts';
import type { Reply } from '../reply.ts';
import { RequestIds } from '../request-ids.ts';
import { serveOperation } from '../served-operation.ts';
import { Exchange, type Eras } from './exchange.ts';
import { createLegacyEra } from './legacy-era.ts';
import { LineSplitter, type Line } from './line-splitter.ts';
import type { MessageId } from './json-rpc.ts';
import { findIdOf } from './long-line-id.ts';
import { createModernEra } from './modern-era.ts';
import { createOperationTools } from './operation-tool.ts';
import { refuseRequest } from './rpc-refusal.ts';
import type { Caller } from './tool.ts';

/** Longest message, bytes: as over HTTP. */
const LINE_BYTES_MAX = 64 * 1024;

/** What a server over streams is made of. */
export interface StdioOptions {
  readonly operations: readonly Operation[];
  /** Messages of the client, one in each line. */
  readonly input: Readable;
  /** Takes the answers and nothing else. */
  readonly output: Writable;
  readonly logger: Logger;
  readonly random: Random;
  /** The user's own bearer token for private reads; there is no header to bring it. */
  readonly token?: string;
  /** Bounds on running operations that differ from `OPERATION_LIMITS`. */
  readonly operationLimits?: Partial<OperationLimits>;
}

/** A server over streams, running. */
export interface StdioServer {
  /** Resolves once the input has ended and everything that was asked is answered. */
  readonly done: Promise<void>;
  /** Reads no more, and resolves as `done`. */
  close(): Promise<void>;
}

/**
 * Serves the operations as MCP tools over the stdio transport (MCP 2025-11-25, transports, stdio): JSON-RPC messages,
 * one in each line, in both directions. The tools and the revisions are those of the HTTP endpoint. Answers may come in
 * another order than they were asked for.
 *
 * @throws Error when an operation's schemas cannot be offered as a tool.
 */
export function serveStdio(options: StdioOptions): StdioServer {
  const { input, output } = options;
  const session = new StdioSession(options);
  const lines = new LineSplitter(LINE_BYTES_MAX);
  input.on('data', (chunk: Buffer | string) => {
    for (const line of lines.push(Buffer.from(chunk))) session.take(line);
  });
  // The last message may lack its line feed.
  input.once('end', () => session.take(lines.end()));
  // Nobody is left to answer.
  output.once('error', () => input.destroy());
  const done = new Promise<void>((resolve) => {
    for (const event of ['end', 'error', 'close']) input.once(event, resolve);
  }).then(() => session.finish());
  return {
    done,
    close: () => {
      input.destroy();
      return done;
    },
  };
}

class StdioSession {
  readonly #eras: Eras;
  readonly #options: StdioOptions;
  readonly #requestIds: RequestIds;
  readonly #pending = new Set<Promise<void>>();

  constructor(options: StdioOptions) {
    const { operations, operationLimits, logger } = options;
    const gate = new OperationGate(operationLimits);
    const tools = createOperationTools(
      operations.map((operation) => serveOperation(operation, gate)),
      logger,
    );
    this.#options = options;
    this.#requestIds = new RequestIds(options.random);
    this.#eras = { legacy: createLegacyEra(tools), modern: createModernEra(tools) };
  }

  /** Answers the message in a line, if it is one that is answered. Blank lines are none. */
  take(line: Line): void {
    if (!Buffer.isBuffer(line)) return this.#refuse(bodyTooLarge(LINE_BYTES_MAX), findIdOf(line));
    if (line.toString('latin1').trim() === '') return undefined;
    const { value, refusal } = readJson(line);
    return refusal === undefined ? this.#serve(value) : this.#refuse(refusal);
  }

  /** Resolves when everything that was asked is answered. */
  async finish(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #serve(message: unknown): void {
    const { logger, token } = this.#options;
    const caller: Caller = { headers: undefined, token, requestId: this.#requestIds.next() };
    const exchange = new Exchange(this.#eras, caller);
    const answer = (async () => this.#write(await exchange.handle(message)))()
      .catch((error: unknown) => {
        logger.error(
          { requestId: caller.requestId, ...failureFields(error) },
          'a message failed unexpectedly',
        );
        this.#refuse(INTERNAL_ERROR);
      })
      .finally(() => {
        exchange.close();
        this.#pending.delete(answer);
      });
    this.#pending.add(answer);
  }

  #refuse(refusal: Refusal, id: MessageId = null): void {
    this.#write(refuseRequest(refusal, id));
  }

  /** Writes an answer; when the client reads slower than it asks, nothing more is read from it until it has caught up. */
  #write({ body, rest }: Reply): void {
    const { input, output } = this.#options;
    if (body === undefined) return;
    output.cork();
    output.write(body);
    if (rest !== undefined) output.write(rest);
    const hasRoom = output.write('\n');
    output.uncork();
    if (hasRoom || input.isPaused()) return;
    input.pause();
    output.once('drain', () => input.resume());
  }
}
