import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject } from '../input/json-object.ts';
import { jsonReply, type Reply } from '../reply.ts';
import type { Era, Method } from './era.ts';
import { type Message, type MessageId, readMessage, writeError, writeResult } from './json-rpc.ts';
import { checkModernRequest } from './modern-era.ts';
import { ProtocolFault } from './protocol-fault.ts';
import { META, MODERN_VERSION, RPC_ERROR, SUPPORTED_VERSIONS } from './protocol.ts';
import type { McpCaller } from './tool.ts';

/** The protocol generations of the endpoint. */
export interface Eras {
  readonly legacy: Era;
  readonly modern: Era;
}

type RequestMessage = Extract<Message, { kind: 'request' }>;

/** The answer to a notification or a response. */
const ACCEPTED: Reply = { status: 202 };

/**
 * The server's side of one POST: it takes one message, answers it and is closed. No state outlives it, and
 * exchanges share only the eras' fixed tables, so no client can see another's requests.
 */
export class McpExchange {
  readonly #eras: Eras;
  readonly #caller: McpCaller;
  #isOpen = true;

  constructor(eras: Eras, caller: McpCaller) {
    this.#eras = eras;
    this.#caller = caller;
  }

  /**
   * Answers a message, the JSON value of a body. The answer is a promise only if a tool runs.
   *
   * @throws Error if the exchange is closed, and for bugs.
   */
  handle(body: unknown): Reply | Promise<Reply> {
    if (!this.#isOpen) throw new Error('the exchange is closed');
    const message = readMessage(body);
    const id = message?.kind === 'request' ? message.id : null;
    const fail = (error: unknown): Reply => {
      if (error instanceof ProtocolFault) this.#caller.noteCode?.(String(error.code));
      return writeFault(error, id);
    };
    try {
      if (message === undefined)
        throw new ProtocolFault(RPC_ERROR.invalidRequest, 'Invalid Request', { status: 400 });
      if (message.kind !== 'request') return this.#accept(message);
      const result = this.#run(message);
      const succeed = (text: string): Reply => jsonReply(writeResult(id, text));
      return typeof result === 'string' ? succeed(result) : result.then(succeed, fail);
    } catch (error) {
      return fail(error);
    }
  }

  /** Closes the exchange. It accepts no further message. */
  close(): void {
    this.#isOpen = false;
  }

  #run({ method, params = null }: RequestMessage): ReturnType<Method> {
    const { headers } = this.#caller;
    const members = params === null ? {} : isJsonObject(params) ? params : undefined;
    const eraName = selectEra(method, members, headers);
    if (eraName === 'modern') checkModernRequest(method, members ?? {}, headers);
    const era = this.#eras[eraName];
    const run = era.methods.get(method);
    if (run === undefined) {
      throw new ProtocolFault(RPC_ERROR.methodNotFound, 'Method not found', {
        status: era.unknownMethodStatus,
      });
    }
    this.#caller.nameCall?.(method, {}, 'mcp');
    if (members === undefined) {
      throw new ProtocolFault(RPC_ERROR.invalidParams, 'Invalid params: params must be an object');
    }
    return run(members, this.#caller);
  }

  #accept(message: Exclude<Message, RequestMessage>): Reply {
    const params =
      message.kind === 'notification' && isJsonObject(message.params) ? message.params : undefined;
    selectEra(undefined, params, this.#caller.headers);
    return ACCEPTED;
  }
}

/** The answer for a protocol fault. Rethrows anything else, since it is a bug. */
function writeFault(error: unknown, id: MessageId): Reply {
  if (!(error instanceof ProtocolFault)) throw error;
  const { status, code, message, data, isAnonymous } = error;
  return { ...jsonReply(writeError(isAnonymous ? null : id, code, message, data)), status };
}

/**
 * Selects the rules for a message: modern if its `_meta` or its header names the modern version, legacy
 * otherwise. `initialize` is always legacy; the header does not apply to it. `method` is undefined for
 * messages that are not requests.
 *
 * @throws ProtocolFault with status 400 if the header names an unsupported revision (MCP 2025-11-25,
 *   transports, protocol version header).
 */
function selectEra(
  method: string | undefined,
  params: JsonObject | undefined,
  headers: IncomingHttpHeaders | undefined,
): 'legacy' | 'modern' {
  const meta = params?.['_meta'];
  if (isJsonObject(meta) && meta[META.protocolVersion] !== undefined) return 'modern';
  const version = headers?.['mcp-protocol-version'];
  if (version === undefined || method === 'initialize') return 'legacy';
  if (version === MODERN_VERSION) return 'modern';
  if (typeof version === 'string' && SUPPORTED_VERSIONS.includes(version)) return 'legacy';
  const supported = SUPPORTED_VERSIONS.join(', ');
  throw new ProtocolFault(
    RPC_ERROR.serverError,
    `Bad Request: Unsupported protocol version (supported versions: ${supported})`,
    { status: 400, isAnonymous: true },
  );
}
