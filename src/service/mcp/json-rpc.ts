import { NumberLiteral } from '../../json/number-literal.ts';
import { isJsonObject } from '../input/json-object.ts';
import type { RpcErrorCode } from './protocol.ts';

/**
 * What tells a request's answer from others. Contract 2.1 allows null and any number, where MCP itself does
 * not. A number comes back in the characters in which it came.
 */
export type MessageId = string | number | NumberLiteral | null;

/** One JSON-RPC message, read from a body. `params` is what the sender put there. */
export type Message =
  | { readonly kind: 'request'; readonly id: MessageId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'response' };

/**
 * Reads a JSON value as one JSON-RPC 2.0 message, or undefined when it is none. Further members are allowed
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

/** The JSON text of a success response. `result` is JSON text already. */
export function writeResult(id: MessageId, result: string): string {
  return `{"jsonrpc":"2.0","id":${writeId(id)},"result":${result}}`;
}

/** The JSON text of an error response. */
export function writeError(id: MessageId, code: RpcErrorCode, message: string, data?: object): string {
  return `{"jsonrpc":"2.0","id":${writeId(id)},"error":${JSON.stringify({ code, message, data })}}`;
}

/** The JSON text of an id. */
export function writeId(id: MessageId): string {
  return id instanceof NumberLiteral ? id.literal : JSON.stringify(id);
}

/** Whether a value can be an id. */
export function isMessageId(id: unknown): id is MessageId {
  return typeof id === 'string' || typeof id === 'number' || id === null || id instanceof NumberLiteral;
}
