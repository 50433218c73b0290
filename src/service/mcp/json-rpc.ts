import { NumberLiteral } from '../../json/plain-json.ts';
import { isJsonObject } from '../input/json-object.ts';
import { type Refusal, type RefusalCode, replyFrame } from '../refusal.ts';
import type { Reply } from '../reply.ts';
import { RPC_ERROR, type RpcErrorCode } from './protocol.ts';

/** The id of a request. Unlike MCP, contract 2.1 allows null and any number, and returns it unchanged. */
export type MessageId = string | number | NumberLiteral | null;

/** A JSON-RPC message. `params` is unchecked. */
export type Message =
  | { readonly kind: 'request'; readonly id: MessageId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'response' };

/**
 * Reads a JSON value as a JSON-RPC 2.0 message; undefined if it is not one. Unknown members are allowed
 * (contract 2.1); batches are not messages (MCP 2025-06-18 removed them).
 */
export function readMessage(value: unknown): Message | undefined {
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params } = value;
  if (method === undefined) {
    const isResponse = value['result'] !== undefined || value['error'] !== undefined;
    return isResponse && isMessageId(id) ? { kind: 'response' } : undefined;
  }
  if (typeof method !== 'string') return undefined;
  if (id === undefined) return { kind: 'notification', method, params };
  return isMessageId(id) ? { kind: 'request', id, method, params } : undefined;
}

/** Writes a success response. `result` is JSON text. */
export function writeResult(id: MessageId, result: string): string {
  return `{"jsonrpc":"2.0","id":${writeId(id)},"result":${result}}`;
}

/** Writes an error response. */
export function writeError(id: MessageId, code: RpcErrorCode, message: string, data?: object): string {
  return `{"jsonrpc":"2.0","id":${writeId(id)},"error":${JSON.stringify({ code, message, data })}}`;
}

/** Writes an id as JSON. */
export function writeId(id: MessageId): string {
  return id instanceof NumberLiteral ? id.literal : JSON.stringify(id);
}

/** Whether a value is a valid id. */
export function isMessageId(id: unknown): id is MessageId {
  return typeof id === 'string' || typeof id === 'number' || id === null || id instanceof NumberLiteral;
}

/** Refusals with codes and messages prescribed by the contract (section 7) or JSON-RPC 2.0. */
const SPECIFIED: Readonly<Partial<Record<RefusalCode, readonly [RpcErrorCode, string]>>> = {
  BODY_NOT_JSON: [RPC_ERROR.parseError, 'Parse error'],
  INTERNAL_ERROR: [RPC_ERROR.internalError, 'Internal server error'],
};

/** Codes of valid JSON that is not a request. The reason is appended to JSON-RPC's message. */
const INVALID_REQUESTS: ReadonlySet<RefusalCode> = new Set(['BODY_TOO_DEEP', 'MEMBER_REPEATED']);

/** Writes a refusal as a JSON-RPC error response without a request id. */
export const writeRpcRefusal = (refusal: Refusal): Reply => refuseRequest(refusal, null);

/** Writes a refusal as the JSON-RPC error response to request `id`. */
export function refuseRequest(refusal: Refusal, id: MessageId): Reply {
  const { code, title, detail } = refusal;
  const [rpcCode, message] = SPECIFIED[code] ?? worded(code, title, detail);
  return {
    ...replyFrame(refusal),
    body: writeError(id, rpcCode, message),
    contentType: 'application/json',
  };
}

function worded(code: RefusalCode, title: string, detail: string): readonly [RpcErrorCode, string] {
  if (INVALID_REQUESTS.has(code)) return [RPC_ERROR.invalidRequest, `Invalid Request: ${detail}`];
  return [RPC_ERROR.serverError, `${title}: ${detail}`];
}

/** Matches an encoded header value (MCP 2026-07-28, Streamable HTTP, value encoding): Base64 of UTF-8. */
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]+={0,2})\?=$/;

/**
 * Decodes the value of an MCP header that repeats a body member. Values that a plain header cannot carry are
 * encoded. A malformed encoding is returned unchanged, so it does not match any body member.
 */
export function decodeHeaderValue(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value.join(', ') : value;
  const encoded = text === undefined ? undefined : ENCODED.exec(text)?.[1];
  if (encoded === undefined) return text;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : text;
}

/** Writes a text as an MCP header value: unchanged if it is visible ASCII, otherwise encoded. */
export function encodeHeaderValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !ENCODED.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
