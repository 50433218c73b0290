import { jsonReply, type Reply } from '../reply.ts';
import type { Era, Method } from './era.ts';
import { selectEra } from './era-selection.ts';
import { isJsonObject } from '../input/json-object.ts';
import { readMessage, writeError, writeResult, type Message, type MessageId } from './json-rpc.ts';
import { checkModernRequest } from './modern-era.ts';
import { RPC_ERROR } from './protocol.ts';
import { ProtocolFault } from './protocol-fault.ts';
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
