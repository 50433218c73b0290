import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HTTP_LIMITS } from './limits.ts';
import { Traffic, type RequestHandler, type TrafficCounts } from './traffic.ts';
import { isWebSocketHandshake, type UpgradeHandler } from './upgrade.ts';

export type { RequestHandler } from './traffic.ts';

/** A running HTTP server. */
export interface HttpServer {
  /** The bound port, also when port 0 was requested. */
  readonly port: number;
  readonly url: string;
  /** The current counts. */
  readonly counts: TrafficCounts;
  /**
   * Passes WebSocket handshakes to `handler`; call it once. Without it they are answered as plain requests
   * (RFC 9110 section 7.8). Upgraded connections count as connections, without request timeouts.
   *
   * @param upgradedMax how many may be open at a time; `HTTP_LIMITS.upgradedMax` when left out.
   */
  onUpgrade(handler: UpgradeHandler, upgradedMax?: number): void;
  /**
   * Stops accepting, gives in-flight requests the drain time, then closes the rest. Upgraded connections are
   * closed by their handler; those left after the drain time are cut.
   */
  close(): Promise<void>;
}

/**
 * Listens on `host:port` (port 0 takes a free one) and hands every request to `handler`, except those that
 * `findHeadFault` refuses: too many headers (431), several `Host` headers or a target of another authority
 * (400).
 *
 * @param connectionsPerAddressMax how many one client address may have open; those beyond are closed unheard.
 * @throws the system's error (EADDRINUSE, EACCES, ...) when the port cannot be had.
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
    // Of Node 24.9: other offers are requests. Before, and where it is unknown, passOverUpgrade makes them
    // so.
    shouldUpgradeCallback: (request: IncomingMessage): boolean =>
      server.listenerCount('upgrade') > 0 && isWebSocketHandshake(request),
  };
  const server: Server = createServer(options);
  // Node's own limit drops the headers beyond it in silence; ours is in Traffic.
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
