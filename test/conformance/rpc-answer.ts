import type { Answer } from './http-client.ts';

/** The tested part of a JSON-RPC response. */
export interface RpcResponse {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: { readonly isError?: boolean; readonly [member: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Reads the JSON-RPC response in a body. */
export function rpcOf(answer: Answer): RpcResponse {
  return JSON.parse(answer.text) as RpcResponse;
}

/** Summarizes a response: its status, then `ok`, `isError`, the error code, or nothing. */
export function summarize(answer: Answer): string {
  if (answer.text === '') return String(answer.status);
  const { result, error } = rpcOf(answer);
  if (error !== undefined) return `${answer.status} ${error.code}`;
  return `${answer.status} ${result?.isError === true ? 'isError' : 'ok'}`;
}
