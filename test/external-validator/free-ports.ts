import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Ports that were given away: whoever has them may not listen yet. */
const given = new Set<number>();

/**
 * Below those that a system hands out by itself (Linux from 32768 on, macOS from 49152 on), so that whoever
 * asks for any port, or opens a connection, takes none of them before it is listened on.
 */
const PORTS = { from: 12_000, to: 32_000 } as const;

/** The first of so many neighbouring ports of the loopback that nobody listens on or has been given here. */
export async function findFreePorts(count: number): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to - count);
    const ports = Array.from({ length: count }, (_, at) => port + at);
    const listening = await Promise.allSettled(ports.map(listen));
    const opened = listening.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await Promise.all(opened.map(close));
    if (opened.length < count || ports.some((each) => given.has(each))) continue;
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
