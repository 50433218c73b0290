import { postJson } from '../parts/service-api.ts';

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly message?: unknown };
}

/**
 * One call of the base ledger that changes it: for those who may move time and set accounts.
 *
 * @throws {Error} with the ledger's words.
 */
export async function callBase(method: string, params: readonly unknown[]): Promise<unknown> {
  const call = { jsonrpc: '2.0', id: 1, method, params };
  const { result, error } = await postJson<RpcAnswer>('/console/rpc/base', call);
  if (error === undefined) return result;
  throw new Error(typeof error.message === 'string' ? error.message : 'The ledger refused.');
}
