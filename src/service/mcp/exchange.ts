import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject } from '../input/json-object.ts';
import { lazily } from '../lazily.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { INSTRUCTIONS, SERVER_INFO } from '../server-info.ts';
import {
  decodeHeaderValue,
  type Message,
  type MessageId,
  readMessage,
  refuseRequest,
  writeError,
  writeResult,
} from './json-rpc.ts';
import { withLogins } from './logins/login-rounds.ts';
import type { RequestedLogins } from './logins/requested-logins.ts';
import {
  LATEST_LEGACY_VERSION,
  LEGACY_VERSIONS,
  META,
  MODERN_VERSION,
  ProtocolFault,
  RPC_ERROR,
  SUPPORTED_VERSIONS,
} from './protocol.ts';
import { callTool, checkListParams, type McpCaller, RefusedCall, type ToolCatalogue } from './tools.ts';

/** The protocol generations that the endpoint supports. */
export interface Eras {
  readonly legacy: Era;
  readonly modern: Era;
}

type RequestMessage = Extract<Message, { kind: 'request' }>;

/**
 * Returns the response to a message, which is a parsed JSON body. Returns a promise only if a tool runs. No
 * state outlives the call, so no client can see another client's requests.
 *
 * @throws any error that is neither a ProtocolFault nor a RefusedCall, because it is a bug.
 */
export function answerMessage(eras: Eras, caller: McpCaller, body: unknown): Reply | Promise<Reply> {
  const message = readMessage(body);
  const id = message?.kind === 'request' ? message.id : null;
  const fail = (error: unknown): Reply => {
    if (error instanceof RefusedCall) {
      caller.noteCode?.(error.refusal.code);
      return refuseRequest(error.refusal, id);
    }
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

/** Writes the response to a protocol fault. Rethrows any other error, because it is a bug. */
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

/** Handles one method and returns the JSON text of its result. Throws a ProtocolFault. */
type Method = (params: JsonObject, caller: McpCaller) => string | Promise<string>;

/** A generation of protocol revisions: its methods, and the status for unknown methods. */
interface Era {
  readonly methods: ReadonlyMap<string, Method>;
  readonly unknownMethodStatus: number;
}

/**
 * Creates the era of the revisions that start with `initialize`, up to MCP 2025-11-25. Requests do not need
 * the handshake, because there are no sessions. Constant results are written once.
 *
 * @param capabilities capabilities of the server in addition to tools.
 */
export function createLegacyEra(tools: ToolCatalogue, capabilities: JsonObject = {}): Era {
  const listResult = lazily(() => JSON.stringify({ tools: tools.definitions }));
  return {
    methods: new Map<string, Method>([
      ['initialize', createInitialize(capabilities)],
      ['ping', () => '{}'],
      [
        'tools/list',
        (params) => {
          checkListParams(params);
          return listResult();
        },
      ],
      ['tools/call', (params, caller) => callTool(tools, params, caller, {})],
    ]),
    unknownMethodStatus: 200,
  };
}

function createInitialize(capabilities: JsonObject): Method {
  const write = (version: string): string => JSON.stringify(initializeResult(version, capabilities));
  const results = new Map<string, string>(LEGACY_VERSIONS.map((version) => [version, write(version)]));
  const latest = write(LATEST_LEGACY_VERSION);
  return ({ protocolVersion }) => {
    if (typeof protocolVersion === 'string') return results.get(protocolVersion) ?? latest;
    throw new ProtocolFault(
      RPC_ERROR.invalidParams,
      `Invalid params: protocolVersion must be a string such as ${LATEST_LEGACY_VERSION}`,
    );
  };
}

function initializeResult(protocolVersion: string, capabilities: JsonObject): JsonObject {
  return {
    protocolVersion,
    capabilities: { tools: { listChanged: true }, ...capabilities },
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
  };
}

/** Members of every result: the server info and the result type (MCP 2026-07-28, basic protocol). */
const RESULT_FRAME = { resultType: 'complete', _meta: { [META.serverInfo]: SERVER_INFO } } as const;

/** Cache time of the tools and the server description: 5 minutes. They are constant while the server runs. */
const CACHING = { ttlMs: 300_000, cacheScope: 'public' } as const;

/**
 * Creates the era of MCP 2026-07-28, which has no handshake. Each request is self-contained.
 *
 * @param logins omitted if there is no login page.
 * @param capabilities capabilities of the server in addition to tools.
 */
export function createModernEra(
  tools: ToolCatalogue,
  logins?: RequestedLogins,
  capabilities: JsonObject = {},
): Era {
  const call = (params: JsonObject, caller: McpCaller): Promise<string> =>
    callTool(tools, params, caller, RESULT_FRAME);
  const listResult = lazily(() => JSON.stringify({ ...RESULT_FRAME, tools: tools.definitions, ...CACHING }));
  const discoverResult = JSON.stringify({
    ...RESULT_FRAME,
    supportedVersions: SUPPORTED_VERSIONS,
    capabilities: { tools: {}, ...capabilities },
    instructions: INSTRUCTIONS,
    ...CACHING,
  });
  return {
    methods: new Map<string, Method>([
      ['server/discover', () => discoverResult],
      [
        'tools/list',
        (params) => {
          checkListParams(params);
          return listResult();
        },
      ],
      ['tools/call', logins === undefined ? call : withLogins(call, { logins, frame: RESULT_FRAME })],
    ]),
    unknownMethodStatus: 404,
  };
}

/**
 * Checks the metadata of a modern request: the version and the client's capabilities in `_meta`. Over HTTP,
 * headers must repeat the version, the method and, for `tools/call`, the tool (MCP 2026-07-28, Streamable
 * HTTP, request metadata).
 *
 * @param headers undefined on a transport without headers.
 *
 * @throws ProtocolFault with status 400.
 */
function checkModernRequest(
  method: string,
  params: JsonObject,
  headers: IncomingHttpHeaders | undefined,
): void {
  const meta = params['_meta'];
  const version = isJsonObject(meta) ? meta[META.protocolVersion] : undefined;
  if (!isJsonObject(meta) || typeof version !== 'string') throw missingMeta(META.protocolVersion);
  if (headers !== undefined) checkHeader('MCP-Protocol-Version', headers['mcp-protocol-version'], version);
  if (version !== MODERN_VERSION) {
    throw new ProtocolFault(RPC_ERROR.unsupportedProtocolVersion, 'Unsupported protocol version', {
      status: 400,
      data: { supported: SUPPORTED_VERSIONS, requested: version },
    });
  }
  if (!isJsonObject(meta[META.clientCapabilities])) throw missingMeta(META.clientCapabilities);
  if (headers === undefined) return;
  checkHeader('Mcp-Method', headers['mcp-method'], method);
  if (method === 'tools/call' && typeof params['name'] === 'string') {
    checkHeader('Mcp-Name', decodeHeaderValue(headers['mcp-name']), params['name']);
  }
}

function missingMeta(key: string): ProtocolFault {
  return new ProtocolFault(RPC_ERROR.invalidParams, `Invalid params: _meta must carry ${key}`, {
    status: 400,
  });
}

function checkHeader(name: string, value: string | string[] | undefined, expected: string): void {
  if (value === expected) return;
  const fault = value === undefined ? 'is missing' : 'does not match the body';
  throw new ProtocolFault(RPC_ERROR.headerMismatch, `Header mismatch: ${name} ${fault}`, { status: 400 });
}
