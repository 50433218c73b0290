import { ServiceError } from '../../errors/service-error.ts';

/** How long a node may take to answer, ms. */
const ANSWER_MS_MAX = 15_000;

/**
 * One JSON-RPC call.
 *
 * @param name what the node is called in errors. Its URL may carry a key and is never told.
 * @throws {ServiceError} UPSTREAM_UNAVAILABLE, UPSTREAM_INVALID, or UPSTREAM_REJECTED with the node's words.
 */
export async function callNode(
  { name, url }: { readonly name: string; readonly url: URL },
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const response = await request(name, url, { jsonrpc: '2.0', id: 1, method, params });
  const answer = (await response.json().catch(() => null)) as {
    readonly result?: unknown;
    readonly error?: { readonly message?: unknown };
  } | null;
  if (answer?.error !== undefined) {
    throw new ServiceError('UPSTREAM_REJECTED', `${name} refused ${method}: ${String(answer.error.message)}`);
  }
  if (answer?.result !== undefined) return answer.result;
  throw new ServiceError('UPSTREAM_INVALID', `${name} answers ${method} as no Solana node does`);
}

async function request(name: string, url: URL, body: object): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
  } catch (cause) {
    throw new ServiceError(
      'UPSTREAM_UNAVAILABLE',
      `${name} does not answer: is it running? "doctor" says what is wrong`,
      {},
      { cause },
    );
  }
}
