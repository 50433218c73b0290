import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A server on a free port of the loopback. */
export interface LoopbackServer {
  readonly port: number;
  readonly url: URL;
  /** How many connections it has accepted. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Serves HTTP. */
export function serveHttp(listener: RequestListener): Promise<LoopbackServer> {
  return listen(createServer(listener));
}

/** Serves whatever `talk` does with a connection. */
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
