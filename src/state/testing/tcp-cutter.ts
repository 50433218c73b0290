import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1 that can interrupt the connections between a client and a server. */
export interface TcpCutter {
  readonly port: number;
  /** Closes all connections and rejects new ones. */
  cut(): void;
  /** Holds all data without closing anything, as a network that loses every packet does. */
  stall(): void;
  /** Holds the answers of the server, but forwards requests to it. */
  mute(): void;
  /** Closes the held connections and forwards new ones again. */
  restore(): void;
  close(): Promise<void>;
}

/** Opens a proxy to a port of 127.0.0.1. */
export async function openTcpCutter(target: number): Promise<TcpCutter> {
  let state: 'open' | 'cut' | 'stalled' | 'mute' = 'open';
  const sockets = new Set<Socket>();
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    if (state === 'cut') return void client.destroy();
    track(client);
    if (state === 'stalled') return undefined;
    const upstream = connect(target, '127.0.0.1');
    track(upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (bytes) => {
        if (state === 'open' || (state === 'mute' && to === upstream)) to.write(bytes);
      });
      from.once('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      state = 'cut';
      closeAll();
    },
    stall: () => void (state = 'stalled'),
    mute: () => void (state = 'mute'),
    restore() {
      state = 'open';
      closeAll();
    },
    close: () => {
      closeAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
