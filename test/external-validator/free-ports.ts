import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Ports that were given away: whoever has them may not listen yet. */
const given = new Set<number>();

/** The first of so many neighbouring ports of the loopback that nobody listens on or has been given here. */
export async function findFreePorts(count: number): Promise<number> {
  for (;;) {
    const first = await listen(0);
    const { port } = first.address() as AddressInfo;
    const others = await Promise.allSettled(
      Array.from({ length: count - 1 }, (_, at) => listen(port + 1 + at)),
    );
    const opened = others.flatMap((other) => (other.status === 'fulfilled' ? [other.value] : []));
    await Promise.all([first, ...opened].map(close));
    const ports = Array.from({ length: count }, (_, at) => port + at);
    if (opened.length < count - 1 || ports.some((each) => given.has(each))) continue;
    for (const each of ports) given.add(each);
    return port;
  }
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
