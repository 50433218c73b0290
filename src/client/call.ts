import { readAnswer } from './answer.ts';
import type { Route } from './generated.ts';
import { PaymentsError } from './payments-error.ts';
import type { ClientPorts } from './ports.ts';
import { writeRequest, type CallRequest } from './request.ts';
import { pauseBefore } from './retry.ts';

/** How one call is made. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The bearer token for this call, in place of the client's. */
  readonly token?: string | undefined;
  /** Time for the whole call with its retries, ms, in place of the client's. */
  readonly timeoutMs?: number | undefined;
  /** The key of an earlier call that is to be repeated: 1 to 255 visible ASCII characters. */
  readonly idempotencyKey?: string | undefined;
}

/** The settings of a client that each call starts from. */
export interface CallSettings {
  /** Where the service is, without a slash at the end. */
  readonly origin: string;
  readonly token: string | undefined;
  readonly maxRetries: number;
  readonly timeoutMs: number;
}

/** Makes one call: the request, and the same request again where that is safe. */
export async function call(
  route: Route,
  input: object,
  options: CallOptions,
  settings: CallSettings,
  ports: ClientPorts,
): Promise<object> {
  const idempotencyKey = route.isKeyed ? (options.idempotencyKey ?? ports.mintKey()) : null;
  const token = options.token ?? settings.token;
  requireVisible('token', token);
  requireVisible('idempotencyKey', idempotencyKey ?? undefined);
  const request = writeRequest(settings.origin, route, input, { token, idempotencyKey });
  const deadline = ports.deadline(options.timeoutMs ?? settings.timeoutMs);
  const { signal } = options;
  const ended = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
  try {
    return await attempt(request, route, settings.maxRetries, { ended, ports });
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    const told = deadline.signal.aborted ? timedOut(error) : error;
    if (told instanceof PaymentsError) told.idempotencyKey = idempotencyKey;
    throw told;
  } finally {
    deadline.stop();
  }
}

/**
 * A header that cannot be sent would look like a network that fails, and its error would repeat the secret.
 *
 * @throws {TypeError} without the value.
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
      // The first attempt is still being carried out: that is no failure, and the deadline bounds it.
      if (error.code !== 'IDEMPOTENCY_KEY_IN_USE') failed++;
      await ports.wait(pause, ended);
    }
  }
}

/** Settles as `running` does, or rejects with the signal's reason: a fetch may pay no heed to its signal. */
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
    // A redirect is not followed: the token and the arguments are for this service alone.
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
    'The service did not answer: it cannot be reached, or the connection was lost',
    {
      cause,
    },
  );

const timedOut = (cause: unknown): PaymentsError =>
  new PaymentsError('TIMEOUT', 'The service did not answer in time; raise timeoutMs if it may take longer', {
    cause,
  });
