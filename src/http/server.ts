import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HTTP_LIMITS } from './limits.ts';

export { HTTP_LIMITS } from './limits.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A listener that is up. */
export interface HttpServer {
  /** The port it really has, also when port 0 was asked for. */
  readonly port: number;
  readonly url: string;
  /** Stops accepting, lets in-flight requests finish within the drain time, then closes what is left. */
  close(): Promise<void>;
}

/**
 * Listens on `host:port` (port 0 takes a free one) and hands every request to `handler`, except those with more than
 * `HTTP_LIMITS.headerCountMax` headers, which are answered 431.
 *
 * @throws the system's error (EADDRINUSE, EACCES, ...) when the port cannot be had.
 */
export async function startHttpServer(
  host: string,
  port: number,
  handler: RequestHandler,
): Promise<HttpServer> {
  const traffic = new Traffic(handler);
  const server = createServer(
    {
      maxHeaderSize: HTTP_LIMITS.headerBytesMax,
      headersTimeout: HTTP_LIMITS.headersTimeoutMs,
      requestTimeout: HTTP_LIMITS.requestTimeoutMs,
      keepAliveTimeout: HTTP_LIMITS.keepAliveTimeoutMs,
      connectionsCheckingInterval: 1_000,
      noDelay: true,
    },
    (request, response) => traffic.take(request, response),
  );
  // Node's own limit drops the headers beyond it in silence, an Origin among them; ours is in Traffic.
  server.maxHeadersCount = 0;
  server.maxConnections = HTTP_LIMITS.connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const actualPort = (server.address() as AddressInfo).port;
  return {
    port: actualPort,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    close: () => traffic.drain(server),
  };
}

/** The requests of one server that have no complete answer yet. */
class Traffic {
  readonly #handler: RequestHandler;
  #inFlight = 0;
  #onIdle: (() => void) | undefined;

  constructor(handler: RequestHandler) {
    this.#handler = handler;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    this.#inFlight += 1;
    response.on('close', this.#onAnswered);
    if (this.#onIdle !== undefined) response.shouldKeepAlive = false;
    if (request.rawHeaders.length > 2 * HTTP_LIMITS.headerCountMax) {
      response.writeHead(431, { 'content-length': 0, connection: 'close' }).end();
    } else this.#handler(request, response);
  }

  /** Closes `server` as soon as nothing is in flight: connections that idle, or never asked anything, do not delay it. */
  drain(server: Server): Promise<void> {
    return new Promise((resolve) => {
      const closeRest = (): void => server.closeAllConnections();
      const deadline = setTimeout(closeRest, HTTP_LIMITS.drainTimeoutMs);
      server.close(() => {
        clearTimeout(deadline);
        resolve();
      });
      this.#onIdle = closeRest;
      if (this.#inFlight === 0) closeRest();
    });
  }

  readonly #onAnswered = (): void => {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) this.#onIdle?.();
  };
}
