import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HTTP_LIMITS, startHttpServer, type HttpServer } from './server.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

async function start(): Promise<HttpServer> {
  const server = await startHttpServer('127.0.0.1', 0, (_request, response) => response.end('served'));
  onTestFinished(() => server.close());
  return server;
}

/** Connects from an address of the loopback network; Linux has all of 127.0.0.0/8. */
async function open(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function ask(socket: Socket, bytes = GET): Promise<string> {
  socket.write(bytes);
  const [answer] = await once(socket, 'data');
  return String(answer);
}

describe('connections that are kept', () => {
  it('are kept for a client whose event loop was busy for a minute (bug: they were closed after 5 s)', async () => {
    const { port } = await start();
    expect(await ask(await open(port))).toMatch(/keep-alive: timeout=65\r\n/i);
  });

  it('give way while they idle once the port is full, so that nobody is dropped', async () => {
    const server = await start();
    const { port } = server;
    const idle: Socket[] = [];
    for (let count = 1; count < HTTP_LIMITS.connectionsMax; count += 1) {
      idle.push(await open(port, count % 2 === 0 ? '127.0.0.1' : '127.0.0.2'));
    }
    for (const socket of idle) expect(await ask(socket)).toMatch(/^HTTP\/1.1 200 /);
    const closed = idle.map((socket) => once(socket, 'close'));
    expect(await ask(await open(port))).toMatch(/^HTTP\/1.1 200 /);
    await Promise.all(closed);
    expect(await ask(await open(port))).toMatch(/^HTTP\/1.1 200 /);
    expect(server.counts.dropped).toBe(0);
  });
});
