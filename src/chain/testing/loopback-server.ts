import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A server on a free loopback port. */
export interface LoopbackServer {
  readonly port: number;
  readonly url: URL;
  /** The number of accepted connections. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Starts an HTTP server. */
export function serveHttp(listener: RequestListener): Promise<LoopbackServer> {
  return listen(createServer(listener));
}

/** Starts a TCP server that passes every connection to `talk`. */
export function serveTcp(talk: (socket: Socket) => void): Promise<LoopbackServer> {
  return listen(createTcpServer(talk));
}

async function listen(server: Server): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: new URL(`http://127.0.0.1:${port}/`),
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
