import { call, type CallOptions, type CallSettings } from './call.ts';
import { type Calls, ROUTES } from './generated.ts';
import { carrySlotFloor } from './slot-floor.ts';

/** Options for a client. */
export interface ClientOptions {
  /** URL of the service, including its path if it has one. */
  readonly url: string | URL;
  /** The API key, or an access token, of a service that authenticates its callers. */
  readonly apiKey?: string | undefined;
  /** The bearer token for private reads. It is sent only with operations that use it. */
  readonly token?: string | undefined;
  /** The fetch to use; default the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Retries after the first attempt, 0 to 10; default 3. */
  readonly maxRetries?: number | undefined;
  /** Timeout of a call including retries, in ms; default 60,000. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Creates a client for the service. It connects on the first call and does not need to be closed.
 *
 * Functions accept whole numbers as bigints, safe integers or decimal strings, and return bigints. Every call
 * that changes something has an `Idempotency-Key`, which its retries reuse.
 *
 * @throws {TypeError} if an option is invalid.
 * @returns functions that fail with {@link PaymentsError}, or with the reason of an aborted signal.
 */
export function createPrivatePayments(options: ClientOptions): PrivatePayments {
  return createCalls(options, systemPorts(options.fetch));
}

/** Creates a client with injected ports. */
export function createCalls(options: ClientOptions, ports: ClientPorts): PrivatePayments {
  const settings: CallSettings = {
    origin: originOf(options.url),
    apiKey: options.apiKey,
    token: options.token,
    maxRetries: within('maxRetries', options.maxRetries ?? RETRIES_MAX, 0, 10),
    timeoutMs: within('timeoutMs', options.timeoutMs ?? TIMEOUT_MS, 1, 2 ** 31 - 1),
  };
  const carrying = { ...ports, fetch: carrySlotFloor(ports.fetch, ports.now) };
  const calls = Object.entries(ROUTES).map(([name, route]) => [
    name,
    (input: object, own: CallOptions = {}) => call(route, input, own, settings, carrying),
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
  /** Returns a signal that aborts after `ms`, and a function that stops its timer. */
  deadline(ms: number): { readonly signal: AbortSignal; stop(): void };
  /** Resolves after `ms`, or rejects with the signal's reason when it aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Returns the time in ms. */
  now(): number;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  mintKey(): string;
}

/** Returns the platform's ports. `fetch` replaces the platform's own. */
function systemPorts(fetch: typeof globalThis.fetch = globalThis.fetch): ClientPorts {
  return {
    // Browsers throw if fetch is called as a method of another object.
    fetch: (input, init) => fetch(input, init),
    deadline: (ms) => {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), ms);
      return { signal: controller.signal, stop: () => clearTimeout(timer) };
    },
    wait,
    now: () => performance.now(),
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

/** Creates 128 random bits in hex. Pages served without TLS do not have `crypto.randomUUID`. */
function mintKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Default number of retries, and default timeout in ms. Waiting for one transaction can take 30 s. */
const RETRIES_MAX = 3;
const TIMEOUT_MS = 60_000;

/** A client with one function for each REST operation of the service. */
export type PrivatePayments = Calls<CallOptions>;
