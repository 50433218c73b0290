import { call, type CallOptions, type CallSettings } from './call.ts';
import { type Calls, ROUTES } from './generated.ts';

/** Options of a client. */
export interface ClientOptions {
  /** URL of the service, with its path if it has one. */
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
 * Creates a client of the service. It opens no connection before the first call, and needs no closing.
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
  const settings: CallSettings = {
    origin: originOf(options.url),
    token: options.token,
    maxRetries: within('maxRetries', options.maxRetries ?? RETRIES_MAX, 0, 10),
    timeoutMs: within('timeoutMs', options.timeoutMs ?? TIMEOUT_MS, 1, 2 ** 31 - 1),
  };
  const calls = Object.entries(ROUTES).map(([name, route]) => [
    name,
    (input: object, own: CallOptions = {}) => call(route, input, own, settings, ports),
  ]);
  return Object.fromEntries(calls) as unknown as PrivatePayments;
}

function originOf(url: string | URL): string {
  const text = String(url);
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError('url must be the URL of the service, such as http://127.0.0.1:8787');
  }
  if (parsed.username !== '' || parsed.search !== '' || parsed.hash !== '') {
    throw new TypeError('url must not have a user, a query or a fragment');
  }
  return parsed.href.replace(/\/+$/, '');
}

function within(name: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`${name} must be a whole number from ${least} to ${most}`);
}

/** The injected network, time and randomness. */
export interface ClientPorts {
  readonly fetch: typeof globalThis.fetch;
  /** A signal that is aborted after `ms`, and what stops its timer. */
  deadline(ms: number): { readonly signal: AbortSignal; stop(): void };
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to, not including, 1. */
  random(): number;
  mintKey(): string;
}

/** The ports of the platform. `fetch` overrides the platform's own. */
function systemPorts(fetch: typeof globalThis.fetch = globalThis.fetch): ClientPorts {
  return {
    // Browsers refuse a fetch that is called as a method of another object.
    fetch: (input, init) => fetch(input, init),
    deadline: (ms) => {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), ms);
      return { signal: controller.signal, stop: () => clearTimeout(timer) };
    },
    wait,
    random: Math.random,
    mintKey,
  };
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** 128 random bits in hex. `crypto.randomUUID` is missing in pages that are not served over TLS. */
function mintKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Retries of a call, and the time for all of it, ms. Waiting for a transaction alone takes up to 30 s. */
const RETRIES_MAX = 3;
const TIMEOUT_MS = 60_000;

/** The service, with a function for each of its REST operations. */
export type PrivatePayments = Calls<CallOptions>;
