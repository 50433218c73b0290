import { startHttpServer, type HttpServer, type RequestHandler } from './server.ts';
import { refuseUpgrade, type UpgradeHandler } from './upgrade.ts';

/** A bound port that may not serve requests yet. */
export interface Listener extends HttpServer {
  /** Starts serving. Before that, requests and upgrades get a 503. */
  serve(handler: RequestHandler): void;
  /** Responds with 503 until the next `serve`. Connections stay open. */
  pause(): void;
}

/**
 * Binds `host:port` without serving, so that the caller creates and deletes nothing before the port is known
 * to be free.
 *
 * @param connectionsPerAddressMax see `startHttpServer`.
 *
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
