import { callsWith, RETRIES_MAX, TIMEOUT_MS, type PrivatePayments } from './calls.ts';
import { ROUTES } from './generated.ts';
import { systemPorts, type ClientPorts } from './ports.ts';

/** Where the service is, and how it is called. */
export interface ClientOptions {
  /** Where the service is: http or https, with a path if it is served below one. */
  readonly url: string | URL;
  /** The bearer token for private reads. It is sent only with operations that use it. */
  readonly token?: string | undefined;
  /** Replaces the platform's fetch. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Retries after the first attempt, 0 to 10; default 3. */
  readonly maxRetries?: number | undefined;
  /** Time for a call with its retries, ms; default 60,000. */
  readonly timeoutMs?: number | undefined;
}

/**
 * A client of the service. It opens nothing before the first call and holds nothing that has to be closed.
 *
 * Whole numbers go in as bigints, safe integers or decimal strings and come back as bigints. Every call that
 * changes something gets an `Idempotency-Key` that its retries keep.
 *
 * @throws {TypeError} if an option is not valid.
 * @returns functions that fail with {@link PaymentsError}, or with the reason of an aborted signal.
 */
export function createPrivatePayments(options: ClientOptions): PrivatePayments {
  return createCalls(options, systemPorts(options.fetch));
}

/** The same with other ports. */
export function createCalls(options: ClientOptions, ports: ClientPorts): PrivatePayments {
  return callsWith(
    ROUTES,
    {
      origin: originOf(options.url),
      token: options.token,
      maxRetries: within('maxRetries', options.maxRetries ?? RETRIES_MAX, 0, 10),
      timeoutMs: within('timeoutMs', options.timeoutMs ?? TIMEOUT_MS, 1, 2 ** 31 - 1),
    },
    ports,
  );
}

function originOf(url: string | URL): string {
  const text = String(url);
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError('url must be where the service is, such as http://127.0.0.1:8787');
  }
  if (parsed.username !== '' || parsed.search !== '' || parsed.hash !== '') {
    throw new TypeError('url must not have a user, a query or a fragment: only where the service is');
  }
  return parsed.href.replace(/\/+$/, '');
}

function within(name: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`${name} must be a whole number from ${least} to ${most}`);
}
