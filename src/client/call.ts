import { readAnswer } from './answer.ts';
import type { Route } from './generated.ts';
import { PaymentsError, type PaymentsErrorCode } from './payments-error.ts';
import type { ClientPorts } from './private-payments.ts';

/** Options for one call. */
export interface CallOptions {
  /** Signal that aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The bearer token for this call. Default: the client's. */
  readonly token?: string | undefined;
  /** Timeout of the whole call including retries, in ms. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** The key of the earlier call that this call repeats, 1 to 255 visible ASCII characters. */
  readonly idempotencyKey?: string | undefined;
}

/** The settings of a client. */
export interface CallSettings {
  /** URL of the service, without a trailing slash. */
  readonly origin: string;
  readonly apiKey: string | undefined;
  readonly token: string | undefined;
  readonly maxRetries: number;
  readonly timeoutMs: number;
}

/** Makes one call, and retries it if that is safe. */
export async function call(
  route: Route,
  input: object,
  options: CallOptions,
  settings: CallSettings,
  ports: ClientPorts,
): Promise<object> {
  const idempotencyKey = route.isKeyed ? (options.idempotencyKey ?? ports.mintKey()) : null;
  const token = options.token ?? settings.token;
  const { apiKey } = settings;
  requireVisible('apiKey', apiKey);
  requireVisible('token', token);
  requireVisible('idempotencyKey', idempotencyKey ?? undefined);
  const request = writeRequest(settings.origin, route, input, { apiKey, token, idempotencyKey });
  const deadline = ports.deadline(options.timeoutMs ?? settings.timeoutMs);
  const { signal } = options;
  const ended = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
  try {
    return await attempt(request, route, settings.maxRetries, { ended, ports });
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    const failure = deadline.signal.aborted ? timedOut(error) : error;
    if (failure instanceof PaymentsError) failure.idempotencyKey = idempotencyKey;
    throw failure;
  } finally {
    deadline.stop();
  }
}

/**
 * Rejects header values that cannot be sent, because fetch's error would contain the secret.
 *
 * @throws {TypeError} with a message that does not contain the value.
 */
function requireVisible(name: string, value: string | undefined): void {
  if (value === undefined || /^[\x21-\x7e]+$/.test(value)) return;
  throw new TypeError(`${name} must consist of visible ASCII characters`);
}

async function attempt(
  request: CallRequest,
  route: Route,
  retriesMax: number,
  { ended, ports }: { readonly ended: AbortSignal; readonly ports: ClientPorts },
): Promise<object> {
  for (let failed = 0; ;) {
    ended.throwIfAborted();
    try {
      return await unlessEnded(exchange(request, route, ended, ports), ended);
    } catch (error) {
      if (!(error instanceof PaymentsError) || failed >= retriesMax) throw error;
      const pause = pauseBefore(error, route, failed, ports.random());
      if (pause === null) throw error;
      // The first attempt is still in progress. The timeout limits the wait.
      if (error.code !== 'IDEMPOTENCY_KEY_IN_USE') failed++;
      await ports.wait(pause, ended);
    }
  }
}

/** Settles like `running`, or rejects when the signal aborts, because an injected fetch may ignore it. */
function unlessEnded<T>(running: Promise<T>, ended: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(ended.reason as Error);
    ended.addEventListener('abort', end, { once: true });
    running.then(resolve, reject).finally(() => ended.removeEventListener('abort', end));
  });
}

async function exchange(
  { url, init }: CallRequest,
  route: Route,
  signal: AbortSignal,
  { fetch }: ClientPorts,
): Promise<object> {
  let response: Response;
  try {
    // Redirects are not followed, because only this service may receive the token and the arguments.
    response = await fetch(url, { ...init, signal, redirect: 'manual' });
  } catch (error) {
    throw lost(error);
  }
  try {
    return await readAnswer(response, route);
  } catch (error) {
    throw error instanceof PaymentsError ? error : lost(error);
  }
}

const lost = (cause: unknown): PaymentsError =>
  new PaymentsError(
    'NETWORK',
    'The service did not answer, because it cannot be reached or the connection was lost: check url, and try again',
    {
      cause,
    },
  );

const timedOut = (cause: unknown): PaymentsError =>
  new PaymentsError('TIMEOUT', 'The service did not answer in time; raise timeoutMs if it may take longer', {
    cause,
  });

interface CallRequest {
  readonly url: string;
  readonly init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
}

interface Credentials {
  /** The API key for the service itself. With a key, the token is sent in a separate header. */
  readonly apiKey: string | undefined;
  /** The bearer token, sent only if the operation uses it. */
  readonly token: string | undefined;
  /** The idempotency key; null if the operation does not use one. */
  readonly idempotencyKey: string | null;
}

function writeRequest(
  origin: string,
  route: Route,
  input: object,
  { apiKey, token, idempotencyKey }: Credentials,
): CallRequest {
  const { method, path, usesToken } = route;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (apiKey !== undefined) headers['authorization'] = `Bearer ${apiKey}`;
  const tokenHeader = apiKey === undefined ? 'authorization' : 'rollup-authorization';
  if (usesToken && token !== undefined) headers[tokenHeader] = `Bearer ${token}`;
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

const writeJson = (input: object): string =>
  JSON.stringify(input, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

/** The pause before the first retry, in ms. It doubles with each retry up to the maximum. */
const PAUSE_MS = 250;
const PAUSE_MS_MAX = 4_000;

/** Maximum `Retry-After` that the client waits for, in ms. */
const RETRY_AFTER_MS_MAX = 30_000;

/** Codes of requests that were not executed, or that are still in progress under the same key. */
const REFUSED: ReadonlySet<PaymentsErrorCode> = new Set([
  'RATE_LIMITED',
  'CREDENTIALS_UNCHECKED',
  'SERVICE_BUSY',
  'UPSTREAM_RATE_LIMITED',
  'LEDGER_STOPPED',
  'IDEMPOTENCY_KEY_IN_USE',
]);

/**
 * Returns the pause before a retry, in ms; null if the request must not be repeated.
 *
 * @param failed number of earlier failed attempts.
 * @param chance random number from 0 to 1 that spreads the retries of clients.
 */
function pauseBefore(error: PaymentsError, route: Route, failed: number, chance: number): number | null {
  if (!isRepeatable(error, route)) return null;
  const { retryAfterMs } = error;
  const pause = Math.min(PAUSE_MS * 2 ** failed, PAUSE_MS_MAX);
  if (retryAfterMs === null) return pause * (0.5 + chance / 2);
  return retryAfterMs > RETRY_AFTER_MS_MAX ? null : retryAfterMs + PAUSE_MS * chance;
}

/** Whether a retry is safe. A request that may have been executed needs a key or must be a read. */
function isRepeatable({ code, status }: PaymentsError, { isKeyed, isRead }: Route): boolean {
  if (REFUSED.has(code)) return true;
  // A proxy in front of the service is overloaded, or has no backend.
  if (code === 'ANSWER_UNUSABLE') return status === 429 || status === 503;
  return code === 'NETWORK' && (isKeyed || isRead);
}
