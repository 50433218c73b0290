import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Ports that are assigned, but possibly not in use yet. */
const given = new Set<number>();

/**
 * Range below the ephemeral ports (Linux from 32768, macOS from 49152), which the system could assign
 * meanwhile.
 */
const PORTS = { from: 12_000, to: 32_000 } as const;

/** Finds `count` consecutive free loopback ports and returns the first. */
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
