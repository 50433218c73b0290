import { isServiceError } from '../errors/service-error.ts';
import type { JsonOutput } from '../json/write-json.ts';
import { TransactionRejected } from '../ledger/ledger.ts';
import { describeTransactionError } from '../ledger/transaction-errors.ts';

/** JSON-RPC 2.0 codes (section 5.1), as jsonrpc-core sends them. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** Solana's own codes (Agave `rpc-client-api`, `custom_error.rs`). */
export const PREFLIGHT_FAILURE = -32002;
/** Code that Agave uses only for bad signatures, and MagicBlock's validator for any preflight fault. */
export const TRANSACTION_VERIFICATION = -32003;
export const NODE_UNHEALTHY = -32005;
export const UNSUPPORTED_TRANSACTION_VERSION = -32015;
export const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;

/** An error answer: the members of a JSON-RPC error object. */
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

/** Creates the error for a body that is not JSON or not a call, so its id is unknown. */
export const parseError = (): RpcError => new RpcError(PARSE_ERROR, 'Parse error');

/** Creates the error for a malformed call. Agave also uses this error for some out-of-bounds arguments. */
export const invalidRequest = (message = 'Invalid request'): RpcError =>
  new RpcError(INVALID_REQUEST, message);

export const methodNotFound = (): RpcError => new RpcError(METHOD_NOT_FOUND, 'Method not found');

/** @param message the complete text for the caller. */
export const invalidParams = (message: string, data?: JsonOutput): RpcError =>
  new RpcError(INVALID_PARAMS, message, data);

/** @param lengthMax maximum length, in characters. */
export const answerTooLong = (lengthMax: number): RpcError =>
  invalidRequest(`The answer would have more than ${lengthMax} characters; request less at a time`);

/** Creates the error for an overloaded node. Agave uses this error for a lagging node, so clients move on. */
export const nodeBusy = (): RpcError =>
  new RpcError(NODE_UNHEALTHY, 'Node is busy', { numSlotsBehind: null });

/** Creates the error for a stopped node, whose lag is unknown (Agave `RpcHealthStatus::Unknown`). */
export const nodeUnhealthy = (): RpcError =>
  new RpcError(NODE_UNHEALTHY, 'Node is unhealthy', { numSlotsBehind: null });

/** Creates the error for a client over its rate limit. The code is the HTTP status, as on public nodes. */
export const tooManyRequests = (retryAfterSeconds: number): RpcError =>
  new RpcError(429, `Too many requests from this address; try again in ${retryAfterSeconds} s`);

/** Creates an internal error, which has no details for the caller. */
export const internalError = (): RpcError => new RpcError(INTERNAL_ERROR, 'Internal error');

/** Creates the error for an amount that the faucet rejects. Agave uses only the text `Internal error`. */
const faucetRefusal = (reason: string): RpcError => new RpcError(INTERNAL_ERROR, `Internal error: ${reason}`);

/** Converts an expected error to an RPC error. Returns undefined for any other error, which is a bug. */
export function toRpcError(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  if (error instanceof TransactionRejected) {
    return invalidParams(`invalid transaction: ${describeTransactionError(error.reason)}`);
  }
  if (isServiceError(error, 'LEDGER_STOPPED')) return nodeUnhealthy();
  if (isServiceError(error, 'SERVICE_BUSY')) return nodeBusy();
  if (isServiceError(error, 'FAUCET_LIMIT')) return faucetRefusal(error.message);
  // Only the operator needs to know about damage. The log names the file.
  if (isServiceError(error, 'LEDGER_DAMAGED')) return undefined;
  return isServiceError(error) ? invalidParams(error.message) : undefined;
}
