import { startHttpServer, type HttpServer, type RequestHandler } from './server.ts';

/** A port that is held, before or while requests to it are served. */
export interface Listener extends HttpServer {
  /** Serves requests from now on. Until then they are answered with 503. */
  serve(handler: RequestHandler): void;
}

/**
 * Takes `host:port` without serving anything yet, so that nothing is made or thrown away before it is known that the
 * port can be had.
 *
 * @throws the system's error (EADDRINUSE, EACCES, ...) when the port cannot be had.
 */
export async function openListener(host: string, port: number): Promise<Listener> {
  let current: RequestHandler = refuseForNow;
  const server = await startHttpServer(host, port, (request, response) => current(request, response));
  return {
    ...server,
    serve(handler) {
      current = handler;
    },
  };
}

const refuseForNow: RequestHandler = (request, response) => {
  request.resume();
  response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1', connection: 'close' });
  response.end('starting\n');
};
