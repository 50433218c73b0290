import type { Answer } from './http-client.ts';

/** A JSON-RPC response as the tests look at it. */
export interface RpcResponse {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: { readonly isError?: boolean; readonly [member: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The JSON-RPC response in the body of an answer. */
export function rpcOf(answer: Answer): RpcResponse {
  return JSON.parse(answer.text) as RpcResponse;
}

/**
 * An answer in a word or two: its status, and what its body says: `ok`, `isError`, the code of an error, or
 * nothing.
 */
export function summarize(answer: Answer): string {
  if (answer.text === '') return String(answer.status);
  const { result, error } = rpcOf(answer);
  if (error !== undefined) return `${answer.status} ${error.code}`;
  return `${answer.status} ${result?.isError === true ? 'isError' : 'ok'}`;
}
