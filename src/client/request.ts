import type { Route } from './generated.ts';

/** The request of an operation, without signal. */
export interface CallRequest {
  readonly url: string;
  readonly init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
}

/** What a request carries besides the arguments. */
interface Credentials {
  /** Sent only where the operation uses it. */
  readonly token: string | undefined;
  /** Null where the operation takes none. */
  readonly idempotencyKey: string | null;
}

/** Writes the arguments of an operation into a request: the query of a GET, the JSON body of a POST. */
export function writeRequest(
  origin: string,
  route: Route,
  input: object,
  { token, idempotencyKey }: Credentials,
): CallRequest {
  const { method, path, usesToken } = route;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (usesToken && token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (method === 'GET') return { url: `${origin}${path}${queryOf(input)}`, init: { method, headers } };
  headers['content-type'] = 'application/json';
  if (idempotencyKey !== null) headers['idempotency-key'] = idempotencyKey;
  return { url: `${origin}${path}`, init: { method, headers, body: writeJson(input) } };
}

function queryOf(input: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** JSON, with a bigint as a decimal string, which the service takes for every whole number. */
const writeJson = (input: object): string =>
  JSON.stringify(input, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
