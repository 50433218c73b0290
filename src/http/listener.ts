import { startHttpServer, type HttpServer, type RequestHandler } from './server.ts';
import { refuseUpgrade, type UpgradeHandler } from './upgrade.ts';

/** A bound port, before and while it serves requests. */
export interface Listener extends HttpServer {
  /** Starts serving. Before that, requests and upgrades are answered with 503. */
  serve(handler: RequestHandler): void;
  /** Answers with 503 again, until it serves the next handler. Connections stay open. */
  pause(): void;
}

/**
 * Binds `host:port` without serving yet, so that nothing is created or deleted before the port is known to be
 * free.
 *
 * @param connectionsPerAddressMax as of `startHttpServer`.
 * @throws the system's error (EADDRINUSE, EACCES, ...) when the port cannot be had.
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
