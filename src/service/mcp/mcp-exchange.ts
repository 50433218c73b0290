import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject } from '../input/json-object.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { checkModernRequest, type Era } from './eras.ts';
import { type Message, type MessageId, readMessage, writeError, writeResult } from './json-rpc.ts';
import { META, MODERN_VERSION, ProtocolFault, RPC_ERROR, SUPPORTED_VERSIONS } from './protocol.ts';
import type { McpCaller } from './tool.ts';

/** The protocol generations of the endpoint. */
export interface Eras {
  readonly legacy: Era;
  readonly modern: Era;
}

type RequestMessage = Extract<Message, { kind: 'request' }>;

/**
 * Returns the response to a message, the JSON value of a body; a promise only if a tool runs. No state
 * outlives the call, so no client can see another client's requests.
 *
 * @throws whatever is not a ProtocolFault: it is a bug.
 */
export function answerMessage(eras: Eras, caller: McpCaller, body: unknown): Reply | Promise<Reply> {
  const message = readMessage(body);
  const id = message?.kind === 'request' ? message.id : null;
  const fail = (error: unknown): Reply => {
    if (error instanceof ProtocolFault) caller.noteCode?.(String(error.code));
    return writeFault(error, id);
  };
  try {
    if (message === undefined)
      throw new ProtocolFault(RPC_ERROR.invalidRequest, 'Invalid Request', { status: 400 });
    if (message.kind !== 'request') return accept(message, caller);
    const result = run(eras, message, caller);
    const succeed = (text: string): Reply => jsonReply(writeResult(id, text));
    return typeof result === 'string' ? succeed(result) : result.then(succeed, fail);
  } catch (error) {
    return fail(error);
  }
}

function run(
  eras: Eras,
  { method, params = null }: RequestMessage,
  caller: McpCaller,
): string | Promise<string> {
  const { headers } = caller;
  const members = params === null ? {} : isJsonObject(params) ? params : undefined;
  const eraName = selectEra(method, members, headers);
  if (eraName === 'modern') checkModernRequest(method, members ?? {}, headers);
  const era = eras[eraName];
  const runMethod = era.methods.get(method);
  if (runMethod === undefined) {
    throw new ProtocolFault(RPC_ERROR.methodNotFound, 'Method not found', {
      status: era.unknownMethodStatus,
    });
  }
  caller.nameCall?.(method, {}, 'mcp');
  if (members === undefined) {
    throw new ProtocolFault(RPC_ERROR.invalidParams, 'Invalid params: params must be an object');
  }
  return runMethod(members, caller);
}

function accept(message: Exclude<Message, RequestMessage>, { headers }: McpCaller): Reply {
  const params = message.kind === 'notification' && isJsonObject(message.params) ? message.params : undefined;
  selectEra(undefined, params, headers);
  return { status: 202 };
}

/** The response to a protocol fault. Rethrows anything else, because it is a bug. */
function writeFault(error: unknown, id: MessageId): Reply {
  if (!(error instanceof ProtocolFault)) throw error;
  const { status, code, message, data, isAnonymous } = error;
  return { ...jsonReply(writeError(isAnonymous ? null : id, code, message, data)), status };
}

/**
 * Selects the era of a message: modern if its `_meta` or its header names the modern version, otherwise
 * legacy. `initialize` is always legacy. `method` is undefined for messages that are not requests.
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
