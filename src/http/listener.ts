import { startHttpServer, type HttpServer, type RequestHandler } from './server.ts';
import { refuseUpgrade } from './upgrade.ts';

/** A port that is held, before or while requests to it are served. */
export interface Listener extends HttpServer {
  /** Serves requests from now on. Until then they are answered with 503, upgrades too. */
  serve(handler: RequestHandler): void;
}

/**
 * Takes `host:port` without serving anything yet, so that nothing is made or thrown away before it is known that the
 * port can be had.
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
    onUpgrade(handler, upgradedMax) {
      server.onUpgrade((request, socket, head) => {
        if (current === refuseForNow) refuseUpgrade(socket, 503, 'starting\n', ['retry-after: 1']);
        else handler(request, socket, head);
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
