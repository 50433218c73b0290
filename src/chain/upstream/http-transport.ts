import type { LookupFunction } from 'node:net';
import type { Client, Dispatcher, Pool } from 'undici';
import { basicCredentialsOf } from './basic-credentials.ts';
import { HttpExchange } from './http-exchange.ts';
import type { Transport, UpstreamAnswer, UpstreamRequest } from './transport.ts';

/** Open connections per origin, unless more are asked for. */
const SOCKETS_MAX = 64;

/** How long an idle connection is kept at most, ms: a server may name a shorter time. */
const IDLE_MS_MAX = 30_000;

type Undici = typeof import('undici');

/** With the first request: it takes 18 MB, and a service of localnet alone sends none. */
const loadUndici = (): Promise<Undici> => import('undici');

/**
 * The transport over undici, with keep-alive.
 *
 * @param lookup replaces the system resolver. Literal addresses never pass through it.
 * @param idleMsMax how long an idle connection is kept at most, ms.
 * @param socketsMax open connections per origin.
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
  /** By origin. */
  readonly #pools = new Map<string, Pool>();
  readonly #socketsMax: number;
  #undici: Undici | undefined;

  constructor(lookup: LookupFunction | undefined, idleMsMax: number, socketsMax: number) {
    this.#socketsMax = socketsMax;
    this.#options = {
      pipelining: 1,
      keepAliveTimeout: idleMsMax,
      // Of undici itself, a server that names a longer time has it kept for ten minutes.
      keepAliveMaxTimeout: idleMsMax,
      // The exchange has a deadline of its own, from connecting to the last byte.
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
