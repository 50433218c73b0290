import type { JsonOutput } from '../json/json-value.ts';

/** Codes of JSON-RPC 2.0, section 5.1, as jsonrpc-core sends them. */
const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** Codes of Solana's own (Agave `rpc-client-api`, `custom_error.rs`). */
export const PREFLIGHT_FAILURE = -32002;
/** Agave's is for bad signatures alone; MagicBlock's validator sends it for whatever its preflight finds. */
export const TRANSACTION_VERIFICATION = -32003;
export const NODE_UNHEALTHY = -32005;
export const UNSUPPORTED_TRANSACTION_VERSION = -32015;
export const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;

/** An error that a call is answered with: the members of JSON-RPC's error object. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: JsonOutput | undefined;

  constructor(code: number, message: string, data?: JsonOutput) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The body is not JSON, or not a call, and its id cannot be known. */
export const parseError = (): RpcError => new RpcError(PARSE_ERROR, 'Parse error');

/** A call that is none, and what Agave answers to some arguments that are out of bounds. */
export const invalidRequest = (message = 'Invalid request'): RpcError =>
  new RpcError(INVALID_REQUEST, message);

export const methodNotFound = (): RpcError => new RpcError(METHOD_NOT_FOUND, 'Method not found');

/** `message` is the whole text the caller sees. */
export const invalidParams = (message: string, data?: JsonOutput): RpcError =>
  new RpcError(INVALID_PARAMS, message, data);

/** @param lengthMax characters. */
export const answerTooLong = (lengthMax: number): RpcError =>
  invalidRequest(`The answer would have more than ${lengthMax} characters; ask for less at a time`);

/**
 * There is more to do than can be done at once. Like a node that lags behind its cluster: others may be
 * quicker.
 */
export const nodeBusy = (): RpcError =>
  new RpcError(NODE_UNHEALTHY, 'Node is busy', { numSlotsBehind: null });

/** The node does not run and cannot tell how far it is behind (Agave `RpcHealthStatus::Unknown`). */
export const nodeUnhealthy = (): RpcError =>
  new RpcError(NODE_UNHEALTHY, 'Node is unhealthy', { numSlotsBehind: null });

/** A client has used up its allowance. The code is the status, as the public Solana endpoints answer it. */
export const tooManyRequests = (retryAfterSeconds: number): RpcError =>
  new RpcError(429, `Too many requests from this address; try again in ${retryAfterSeconds} s`);

/** A fault of ours. Nothing about it goes to the caller. */
export const internalError = (): RpcError => new RpcError(INTERNAL_ERROR, 'Internal error');

/** The faucet does not give so much. Agave answers this code as well, with the first two words alone. */
export const faucetRefusal = (reason: string): RpcError =>
  new RpcError(INTERNAL_ERROR, `Internal error: ${reason}`);
