import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Limits every listener of the project has, whatever it serves. */
export const HTTP_LIMITS = {
  /** All request headers together, bytes. */
  headerBytesMax: 8 * 1024,
  headerCountMax: 100,
  /** From the connection's first byte to the end of the headers, ms. */
  headersTimeoutMs: 5_000,
  /** From the first byte to the end of the body, ms. */
  requestTimeoutMs: 15_000,
  /** How long an idle connection is kept for the next request, ms. */
  keepAliveTimeoutMs: 5_000,
  connectionsMax: 1_024,
  /** How long in-flight requests may take to finish once the server closes, ms. */
  drainTimeoutMs: 10_000,
} as const;

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
 * Listens on `host:port` (port 0 takes a free one) and hands every request to `handler`.
 *
 * @throws the system's error (EADDRINUSE, EACCES, ...) when the port cannot be had.
 */
export async function startHttpServer(
  host: string,
  port: number,
  handler: RequestHandler,
): Promise<HttpServer> {
  const server = createServer(
    {
      maxHeaderSize: HTTP_LIMITS.headerBytesMax,
      headersTimeout: HTTP_LIMITS.headersTimeoutMs,
      requestTimeout: HTTP_LIMITS.requestTimeoutMs,
      keepAliveTimeout: HTTP_LIMITS.keepAliveTimeoutMs,
      connectionsCheckingInterval: 1_000,
      noDelay: true,
    },
    handler,
  );
  server.maxHeadersCount = HTTP_LIMITS.headerCountMax;
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
    close: () =>
      new Promise((resolve) => {
        const deadline = setTimeout(() => server.closeAllConnections(), HTTP_LIMITS.drainTimeoutMs);
        server.close(() => {
          clearTimeout(deadline);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
