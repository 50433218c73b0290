import { basicCredentialsOf } from '../../chain/upstream/transport.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';

/** How long a node may take to answer, ms. */
const ANSWER_MS_MAX = 15_000;

/**
 * One JSON-RPC call.
 *
 * @param params bigints are written as whole numbers, every digit of them.
 * @param name what the node is called in errors. Its URL may carry a key and is never told.
 * @throws {ServiceError} UPSTREAM_UNAVAILABLE, UPSTREAM_TIMEOUT, UPSTREAM_INVALID, or UPSTREAM_REJECTED with
 *   the node's words.
 */
export async function callNode(
  { name, url }: { readonly name: string; readonly url: URL },
  method: string,
  params: readonly JsonOutput[] = [],
): Promise<unknown> {
  const response = await request(name, url, { jsonrpc: '2.0', id: 1, method, params });
  const answer = (await response.json().catch(() => null)) as {
    readonly result?: unknown;
    readonly error?: { readonly code?: unknown; readonly message?: unknown };
  } | null;
  const error = answer?.error;
  if (typeof error?.code === 'number') {
    throw new ServiceError('UPSTREAM_REJECTED', `${name} refused ${method}: ${String(error.message)}`);
  }
  if (answer?.result !== undefined) return answer.result;
  throw new ServiceError(
    'UPSTREAM_INVALID',
    `${name} answers ${method} as no Solana node does: look whether its URL is that of a ledger node`,
  );
}

async function request(name: string, url: URL, body: JsonOutputObject): Promise<Response> {
  const credentials = basicCredentialsOf(url);
  try {
    return await fetch(withoutUser(url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(credentials !== null && { authorization: `Basic ${credentials}` }),
      },
      body: writeJson(body),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
  } catch (cause) {
    const isLate = (cause as Error).name === 'TimeoutError';
    const what = isLate ? `did not answer within ${ANSWER_MS_MAX / 1_000} s` : 'does not answer';
    throw new ServiceError(
      isLate ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNAVAILABLE',
      `${name} ${what}: is it running? "doctor" says what is wrong`,
      {},
      { cause },
    );
  }
}

/** `fetch` takes no URL with a user. */
function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}
