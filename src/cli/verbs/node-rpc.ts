import { basicCredentialsOf } from '../../chain/upstream/transport.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { type JsonOutput, type JsonOutputObject, writeJson } from '../../json/write-json.ts';
import type { Target } from './target.ts';
import { VerbFailure } from './verb-failure.ts';

/** Timeout for a node, in ms. */
const ANSWER_MS_MAX = 15_000;

/**
 * Makes one JSON-RPC call.
 *
 * @param params bigints are written exactly, as numbers.
 * @param name the name of the node in errors. Its URL may contain a key and is never shown.
 * @throws {ServiceError} UPSTREAM_UNAVAILABLE, UPSTREAM_TIMEOUT, UPSTREAM_INVALID, or UPSTREAM_REJECTED with
 *   the node's message.
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
  const fix = HTTP_FIXES[response.status];
  if (fix !== undefined && typeof error?.code !== 'number') {
    throw new ServiceError('UPSTREAM_INVALID', `${name} answers with HTTP status ${response.status}: ${fix}`);
  }
  if (typeof error?.code === 'number') {
    throw new ServiceError('UPSTREAM_REJECTED', `${name} rejected ${method}: ${String(error.message)}`);
  }
  if (answer?.result !== undefined) return answer.result;
  throw new ServiceError(
    'UPSTREAM_INVALID',
    `${name} does not answer ${method} like a Solana node: check that its URL points to a ledger node`,
  );
}

/** Advice by HTTP status of an RPC provider. */
const HTTP_FIXES: Readonly<Record<number, string>> = {
  401: 'check the key in its URL',
  403: 'check the key in its URL, and whether the plan allows this use',
  429: 'its rate limit is reached; use an RPC with a higher limit',
};

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
      `${name} ${what}: is it running? Run "doctor" to find out what is wrong`,
      {},
      { cause },
    );
  }
}

/** Removes user and password, because `fetch` rejects URLs that contain them. */
function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

/** The first 32 characters of each network's genesis hash, its CAIP-2 reference in the namespace `solana`. */
const GENESIS: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1: 'devnet',
  '4uhcVJyU9pJkvQyUS88uRDiswHXSCkY3': 'testnet',
};

/**
 * Checks that the node belongs to the named network.
 *
 * @throws {VerbFailure} `unsigned` if it does not; {ServiceError} UPSTREAM_*.
 */
export async function requireNetwork({ cluster, base }: Target): Promise<void> {
  const named = cluster.replace(/-private$/, '');
  const hash = await callNode({ name: `the base ledger of ${cluster}`, url: base }, 'getGenesisHash');
  const found = GENESIS[String(hash).slice(0, 32)] ?? 'localnet';
  if (found === named) return;
  const shown = found === 'localnet' ? 'a localnet' : found;
  throw new VerbFailure(
    'unsigned',
    'NETWORK_MISMATCH',
    `The node belongs to ${shown}, not to ${named}, so nothing was done. Pass the network with --url, and its node with --base`,
  );
}
