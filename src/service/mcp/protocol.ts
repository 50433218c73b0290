/**
 * Revisions that start with `initialize`, newest first. The service implements their common subset: tools
 * with plain JSON responses, without sessions.
 */
export const LEGACY_VERSIONS = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
] as const;

/** The revision offered in place of an unknown one (MCP 2025-11-25, lifecycle, version negotiation). */
export const LATEST_LEGACY_VERSION = LEGACY_VERSIONS[0];

/** The revision without a handshake. Each request names it in `params._meta` and in a header. */
export const MODERN_VERSION = '2026-07-28';

/** Every revision the endpoint supports. */
export const SUPPORTED_VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS];

/** Members of `_meta` that MCP 2026-07-28 defines (basic protocol, `_meta`). */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

/** Error codes of JSON-RPC 2.0 section 5.1 and of MCP 2026-07-28 (basic protocol, error codes). */
export const RPC_ERROR = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Requests rejected at HTTP level. Every MCP server over HTTP uses this code. */
  serverError: -32000,
  headerMismatch: -32020,
  unsupportedProtocolVersion: -32022,
  /** Codes of draft-payment-transport-mcp. */
  paymentRequired: -32042,
  paymentVerificationFailed: -32043,
} as const;

export type RpcErrorCode = (typeof RPC_ERROR)[keyof typeof RPC_ERROR];

interface ProtocolFaultOptions {
  /** HTTP status of the response; default 200. */
  readonly status?: number;
  /** The `data` of the JSON-RPC error. */
  readonly data?: object;
  /** Whether the response omits the request's id, because the request was not read. */
  readonly isAnonymous?: boolean;
}

/** Thrown for a request that violates the protocol. Unlike a tool's failure, it becomes a JSON-RPC error. */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
  readonly code: RpcErrorCode;
  readonly status: number;
  readonly data: object | undefined;
  readonly isAnonymous: boolean;

  constructor(code: RpcErrorCode, message: string, options: ProtocolFaultOptions = {}) {
    super(message);
    this.code = code;
    this.status = options.status ?? 200;
    this.data = options.data;
    this.isAnonymous = options.isAnonymous ?? false;
  }
}
