/** Timeout for a call, ms. The validator responds within a few ms; the rest is a margin for busy machines. */
export const CALL_MS_MAX = 10_000;

/** Thrown if a call is not answered in time. */
export class CallTimedOut extends Error {
  constructor(method: string, limitMs: number, cause: unknown) {
    super(`it did not answer ${method} within ${limitMs} ms`, { cause });
  }
}

/**
 * Makes one JSON-RPC call.
 *
 * @param limitMs timeout, ms.
 * @throws {CallTimedOut} if it takes longer.
 * @throws {Error} if there is no server, and for an error response.
 */
export async function callRpc<T>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
  limitMs = CALL_MS_MAX,
): Promise<T> {
  const { result, error } = await ask<T>(url, { method, params }, AbortSignal.timeout(limitMs)).catch(
    (cause: unknown) => {
      throw isTimeout(cause) ? new CallTimedOut(method, limitMs, cause) : cause;
    },
  );
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result as T;
}

async function ask<T>(
  url: string,
  request: object,
  signal: AbortSignal,
): Promise<{ result?: T; error?: { message: string } }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
    signal,
  });
  const text = await response.text();
  // A starting node responds with plain text.
  if (!response.ok) throw new Error(`${response.status} ${text.trim()}`);
  return JSON.parse(text) as { result?: T; error?: { message: string } };
}

/** Returns whether an error comes from `AbortSignal.timeout`. */
const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';
