import type { LookupFunction } from 'node:net';
import type { Client, Dispatcher, Pool } from 'undici';
import { TracelessError } from '../../errors/service-error.ts';

/** One HTTP exchange with an upstream. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** The URL. It may contain API keys: never put it into a message, a log line or an error. */
  readonly url: URL;
  /** JSON text of a POST; null for a GET. */
  readonly body: string | null;
  /** Time limit from connecting to the last byte, in ms. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /**
   * Whether a keep-alive connection may be used. The server may close it at the same moment, and then it is
   * unknown whether the request arrived. A request that must not be repeated gets a new connection.
   */
  readonly mayReuseConnection: boolean;
  /** The limit on long answers that are read at the same time. Optional. */
  readonly longAnswer?: LongAnswer | undefined;
}

/** A slot that a long answer needs before the rest is read. The time limit of the answer then restarts. */
export interface LongAnswer {
  /** Size in bytes above which an answer is long. */
  readonly beyond: number;
  /** Resolves when reading may continue. A rejection ends the exchange. */
  enter(): Promise<void>;
}

interface UpstreamHead {
  readonly status: number;
  /** The `Retry-After` header. */
  readonly retryAfter: string | null;
}

/** An HTTP answer of any status. Its body is decoded on first use. */
export interface UpstreamAnswer extends UpstreamHead {
  readonly chunks: readonly Buffer[];
  readonly byteCount: number;
  readonly body: string;
}

/** Creates an answer from the chunks of its body. */
export const answerInChunks = (
  head: UpstreamHead,
  chunks: readonly Buffer[],
  byteCount: number,
): UpstreamAnswer => ({
  ...head,
  chunks,
  byteCount,
  get body() {
    return Buffer.concat(chunks, byteCount).toString();
  },
});

/** The HTTP client behind an upstream. Redirects are returned like any other answer and not followed. */
export interface Transport {
  /** @throws {TransportFault} if no complete answer arrives. */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Closes all connections. */
  close(): void;
}

/**
 * - `unreachable`: no connection could be made.
 * - `broken-off`: the connection ended before the answer was complete.
 * - `timed-out`, `too-large`: a limit of the request was exceeded.
 * - `forbidden-address`: the host name resolves to an address that callers may not reach.
 */
export type TransportFaultKind =
  | 'unreachable'
  | 'broken-off'
  | 'timed-out'
  | 'too-large'
  | 'forbidden-address';

/** Failure of an exchange. It has no message or cause, because system errors name hosts and addresses. */
export class TransportFault extends TracelessError {
  override readonly name = 'TransportFault';
  readonly kind: TransportFaultKind;
  /** The system error code (ECONNREFUSED, CERT_HAS_EXPIRED, ...), if there was one. */
  readonly systemCode: string | undefined;

  constructor(kind: TransportFaultKind, systemCode?: string) {
    super(kind);
    this.kind = kind;
    this.systemCode = systemCode;
  }
}

/**
 * Returns the user and password of a URL in the form of HTTP basic authentication (RFC 7617): the base64 of
 * `user:password` without percent-encoding. Returns null for a URL with neither.
 *
 * @throws {URIError} if the percent-encoding is invalid.
 */
export function basicCredentialsOf({ username, password }: URL): string | null {
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return user === ':' ? null : Buffer.from(user).toString('base64');
}

/** Default maximum number of open connections per origin. */
const SOCKETS_MAX = 64;

/** Default maximum time an idle connection is kept, in ms. A server may set a shorter time. */
const IDLE_MS_MAX = 30_000;

type Undici = typeof import('undici');

/** Loads undici with the first request, because it takes 18 MB and a localnet sends none. */
const loadUndici = (): Promise<Undici> => import('undici');

/**
 * Creates the transport over undici, with keep-alive.
 *
 * @param lookup replaces the system resolver. Literal addresses never pass through it.
 * @param idleMsMax maximum time an idle connection is kept, in ms.
 * @param socketsMax maximum number of open connections per origin.
 */
export function createHttpTransport(
  lookup?: LookupFunction,
  idleMsMax = IDLE_MS_MAX,
  socketsMax = SOCKETS_MAX,
): Transport {
  return new HttpTransport(lookup, idleMsMax, socketsMax);
}

class HttpTransport implements Transport {
  readonly #options: Client.Options;
  /** Connection pools by origin. */
  readonly #pools = new Map<string, Pool>();
  readonly #socketsMax: number;
  #undici: Undici | undefined;

  constructor(lookup: LookupFunction | undefined, idleMsMax: number, socketsMax: number) {
    this.#socketsMax = socketsMax;
    this.#options = {
      pipelining: 1,
      keepAliveTimeout: idleMsMax,
      // Caps the time set by the server, for which undici's own limit is ten minutes.
      keepAliveMaxTimeout: idleMsMax,
      // The exchange has its own deadline, from connecting to the last byte.
      headersTimeout: 0,
      bodyTimeout: 0,
      ...(lookup && { connect: { lookup } }),
    };
  }

  async send(request: UpstreamRequest): Promise<UpstreamAnswer> {
    this.#undici ??= await loadUndici();
    const undici = this.#undici;
    const { origin } = request.url;
    if (request.mayReuseConnection) return exchange(this.#poolOf(origin, undici.Pool), request);
    const client = new undici.Client(origin, this.#options);
    try {
      return await exchange(client, request);
    } finally {
      void client.destroy();
    }
  }

  close(): void {
    for (const pool of this.#pools.values()) void pool.destroy();
  }

  #poolOf(origin: string, PoolOf: typeof Pool): Pool {
    let pool = this.#pools.get(origin);
    if (pool === undefined) {
      pool = new PoolOf(origin, { ...this.#options, connections: this.#socketsMax });
      this.#pools.set(origin, pool);
    }
    return pool;
  }
}

function exchange(dispatcher: Dispatcher, request: UpstreamRequest): Promise<UpstreamAnswer> {
  const { method, url, body, mayReuseConnection } = request;
  const path = `${url.pathname}${url.search}`;
  const headers = headersOf(url, body);
  return new Promise((resolve, reject) => {
    const handler = new HttpExchange(request, resolve, reject);
    // `reset` tells the server that the connection ends with this exchange.
    dispatcher.dispatch({ method, path, headers, body, reset: !mayReuseConnection }, handler);
  });
}

function headersOf(url: URL, body: string | null): Record<string, string> {
  const credentials = basicCredentialsOf(url);
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(body !== null && { 'content-type': 'application/json' }),
    ...(credentials !== null && { authorization: `Basic ${credentials}` }),
  };
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** One request and its answer, with limits on time and size. Redirects are not followed. */
class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #bytesMax: number;
  readonly #resolve: (answer: UpstreamAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #timeoutMs: number;
  readonly #longAnswer: LongAnswer | undefined;
  #deadline: NodeJS.Timeout;
  #isLong = false;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #fault: Error | null = null;
  #status = 0;
  #retryAfter: string | null = null;
  #byteCount = 0;

  constructor(
    { timeoutMs, answerBytesMax, longAnswer }: UpstreamRequest,
    resolve: (answer: UpstreamAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#bytesMax = answerBytesMax;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timeoutMs = timeoutMs;
    this.#longAnswer = longAnswer;
    this.#deadline = this.#startDeadline();
  }

  #startDeadline(): NodeJS.Timeout {
    return setTimeout(() => this.#fail(new TransportFault('timed-out')), this.#timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The request timed out while it waited for a connection, so it is not sent.
    if (this.#fault !== null) controller.abort(this.#fault);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    this.#status = status;
    this.#retryAfter = onlyOne(headers['retry-after']);
    if (Number(onlyOne(headers['content-length'])) > this.#bytesMax)
      this.#fail(new TransportFault('too-large'));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#byteCount += chunk.length;
    if (this.#byteCount > this.#bytesMax) {
      this.#fail(new TransportFault('too-large'));
      return;
    }
    this.#chunks.push(chunk);
    const { beyond = Infinity } = this.#longAnswer ?? {};
    if (!this.#isLong && this.#byteCount > beyond) this.#waitForSlot(controller);
  }

  /** Pauses the socket, which makes the system slow down the sender. */
  #waitForSlot(controller: Dispatcher.DispatchController): void {
    this.#isLong = true;
    controller.pause();
    clearTimeout(this.#deadline);
    this.#longAnswer?.enter().then(
      () => {
        if (this.#fault !== null) return;
        this.#deadline = this.#startDeadline();
        controller.resume();
      },
      (error: Error) => this.#fail(error),
    );
  }

  onResponseEnd(): void {
    clearTimeout(this.#deadline);
    const head = { status: this.#status, retryAfter: this.#retryAfter };
    this.#resolve(answerInChunks(head, this.#chunks, this.#byteCount));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(asFault(error));
  }

  #fail(fault: Error): void {
    if (this.#fault !== null) return;
    this.#fault = fault;
    clearTimeout(this.#deadline);
    this.#reject(fault);
    this.#controller?.abort(fault);
  }
}

const onlyOne = (header: string | readonly string[] | undefined): string | null =>
  (typeof header === 'string' ? header : header?.[0]) ?? null;

/** System error codes of an established connection that was lost. */
const BROKEN_OFF: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

function asFault(error: NodeJS.ErrnoException): TransportFault {
  if (error instanceof TransportFault) return error;
  const { name, code = '' } = error;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new TransportFault('timed-out');
  // undici's own errors concern an open connection. Its parser error has no code.
  const isLost = code.startsWith('UND_ERR_') || name === 'HTTPParserError' || BROKEN_OFF.has(code);
  return new TransportFault(isLost ? 'broken-off' : 'unreachable', error.code);
}
