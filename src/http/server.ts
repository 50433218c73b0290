import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HTTP_LIMITS } from './limits.ts';
import { type RequestHandler, Traffic, type TrafficCounts } from './traffic.ts';
import { isWebSocketHandshake, refuseUpgrade, type UpgradeHandler } from './upgrade.ts';
export type { RequestHandler } from './traffic.ts';

/** A running HTTP server. */
export interface HttpServer {
  /** The bound port, even if port 0 was requested. */
  readonly port: number;
  readonly url: string;
  /** The current counts. */
  readonly counts: TrafficCounts;
  /**
   * Passes WebSocket handshakes to `handler`. Call it at most once. Without a handler, the server treats
   * handshakes as plain requests (RFC 9110 section 7.8). Upgraded connections count as connections but have
   * no request timeouts.
   *
   * @param upgradedMax maximum number of open upgraded connections; default `HTTP_LIMITS.upgradedMax`.
   */
  onUpgrade(handler: UpgradeHandler, upgradedMax?: number): void;
  /**
   * Stops accepting connections, waits for requests in progress up to the drain time, and closes all
   * connections. The upgrade handler must close upgraded connections. Connections left after the drain time
   * are destroyed.
   */
  close(): Promise<void>;
}

/**
 * Listens on `host:port` (port 0 picks a free one) and passes requests to `handler`. Rejects requests with
 * too many headers (431), several `Host` headers (400) or a target with a different authority (400).
 *
 * @param connectionsPerAddressMax maximum number of open connections per client address. Further ones are
 *   closed.
 * @throws the system's error (EADDRINUSE, EACCES, ...) if the port cannot be bound.
 */
export async function startHttpServer(
  host: string,
  port: number,
  handler: RequestHandler,
  connectionsPerAddressMax: number = HTTP_LIMITS.connectionsPerAddressMax,
): Promise<HttpServer> {
  const options = {
    maxHeaderSize: HTTP_LIMITS.headerBytesMax,
    headersTimeout: HTTP_LIMITS.headersTimeoutMs,
    requestTimeout: HTTP_LIMITS.requestTimeoutMs,
    keepAliveTimeout: HTTP_LIMITS.keepAliveTimeoutMs,
    connectionsCheckingInterval: 1_000,
    noDelay: true,
    // This option exists since Node 24.9. Older versions need passOverUpgrade.
    shouldUpgradeCallback: (request: IncomingMessage): boolean =>
      server.listenerCount('upgrade') > 0 && isWebSocketHandshake(request),
  };
  const server: Server = createServer(options);
  // Node's own limit silently drops headers. `Traffic` rejects such requests instead.
  server.maxHeadersCount = 0;
  server.maxConnections = HTTP_LIMITS.connectionsMax;
  const traffic = new Traffic(server, handler, connectionsPerAddressMax);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: HTTP_LIMITS.backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const actualPort = (server.address() as AddressInfo).port;
  return {
    port: actualPort,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    get counts() {
      return traffic.counts;
    },
    onUpgrade: (takeUpgrade, upgradedMax) => traffic.onUpgrade(takeUpgrade, upgradedMax),
    close: () => traffic.drain(),
  };
}

/** A bound port that may not serve requests yet. */
export interface Listener extends HttpServer {
  /** Starts serving. Before that, requests and upgrades get a 503. */
  serve(handler: RequestHandler): void;
  /** Responds with 503 until the next `serve`. Connections stay open. */
  pause(): void;
}

/**
 * Binds `host:port` without serving. The caller can check that the port is free before it changes any files.
 *
 * @param connectionsPerAddressMax see `startHttpServer`.
 * @throws the system's error (EADDRINUSE, EACCES, ...) if the port cannot be bound.
 */
export async function openListener(
  host: string,
  port: number,
  connectionsPerAddressMax?: number,
): Promise<Listener> {
  let current: RequestHandler = refuseForNow;
  let currentUpgrade: UpgradeHandler | undefined;
  const serve: RequestHandler = (request, response) => current(request, response);
  const server = await startHttpServer(host, port, serve, connectionsPerAddressMax);
  return {
    port: server.port,
    url: server.url,
    get counts() {
      return server.counts;
    },
    serve(handler) {
      current = handler;
    },
    pause() {
      current = refuseForNow;
    },
    onUpgrade(handler, upgradedMax) {
      const isFirst = currentUpgrade === undefined;
      currentUpgrade = handler;
      if (!isFirst) return;
      server.onUpgrade((request, socket, head) => {
        if (current === refuseForNow) refuseUpgrade(socket, 503, 'starting\n', ['retry-after: 1']);
        else currentUpgrade?.(request, socket, head);
      }, upgradedMax);
    },
    close: () => server.close(),
  };
}

const refuseForNow: RequestHandler = (request, response) => {
  request.resume();
  response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1', connection: 'close' });
  response.end('starting\n');
};
