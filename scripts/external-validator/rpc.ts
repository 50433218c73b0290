/** Longest that an answer may take, ms. The validator's take a few; this is for a busy machine. */
export const CALL_MS_MAX = 10_000;

/** Who was called did not answer in time. */
export class CallTimedOut extends Error {
  constructor(method: string, limitMs: number, cause: unknown) {
    super(`it did not answer ${method} within ${limitMs} ms`, { cause });
  }
}

/**
 * One JSON-RPC call.
 *
 * @param limitMs how long it may take with its answer, ms.
 * @throws {CallTimedOut} when it takes longer.
 * @throws {Error} when nobody answers, and for an error answer.
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
  // A node that is starting says so, and not in JSON.
  if (!response.ok) throw new Error(`${response.status} ${text.trim()}`);
  return JSON.parse(text) as { result?: T; error?: { message: string } };
}

/** Whether this is what `AbortSignal.timeout` ends a request with. */
const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';
