import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leaveWhenTaken } from './delivery.ts';
import { InFlight } from './in-flight.ts';
import { startHttpServer } from './server.ts';

/** More than the system takes for a client that reads nothing. */
const LARGE = 'x'.repeat(16 * 1024 * 1024);

/** Answers `/large` with {@link LARGE}, `/never` not at all and everything else with a little. */
async function serve(inFlight: InFlight): Promise<number> {
  const server = await startHttpServer('127.0.0.1', 0, (request, response) => {
    if (!inFlight.tryEnter('client')) return void response.writeHead(503).end();
    if (request.url === '/never') return;
    const answer = request.url === '/large' ? LARGE : 'small';
    response.end(answer);
    leaveWhenTaken(inFlight, 'client', request, response, Buffer.byteLength(answer));
  });
  onTestFinished(() => server.close());
  return server.port;
}

/** A client that reads nothing until it is resumed. */
async function ask(port: number, ...paths: readonly string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.pause();
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  return socket;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1));
}

describe('an answer', () => {
  it('that the system buffers at once does not wait', async () => {
    const inFlight = new InFlight();
    const port = await serve(inFlight);
    const seen: unknown[] = [];
    inFlight.queue = (bytes) => seen.push(bytes);
    expect(await (await fetch(`http://127.0.0.1:${port}/small`)).text()).toBe('small');
    expect([inFlight.count, inFlight.queuedBytes, seen]).toEqual([0, 0, []]);
  });

  it('that waits is in flight and counts until it was read', async () => {
    const inFlight = new InFlight();
    const client = await ask(await serve(inFlight), '/large');
    await until(() => inFlight.queuedBytes > 0);
    expect([inFlight.count, inFlight.queuedBytes]).toEqual([1, LARGE.length]);
    client.resume();
    await until(() => inFlight.count === 0);
    expect(inFlight.queuedBytes).toBe(0);
  });

  it('is dropped with its client if the client reads nothing for a while (bug: it waited forever)', async () => {
    const inFlight = new InFlight(10, { writeStallTimeoutMs: 50 });
    const client = await ask(await serve(inFlight), '/large', '/small', '/large');
    await until(() => inFlight.count === 3);
    await until(() => inFlight.count === 0);
    expect(inFlight.queuedBytes).toBe(0);
    client.resume();
    await once(client, 'close');
  });

  it('does not wait if its client has disconnected', async () => {
    const inFlight = new InFlight();
    const isOver = new Promise<void>((resolve) => {
      inFlight.leave = () => resolve();
    });
    const server = await startHttpServer('127.0.0.1', 0, (request, response) => {
      if (request.url === '/never') return;
      request.socket.on('close', () => {
        setImmediate(() => {
          response.end(LARGE);
          leaveWhenTaken(inFlight, 'client', request, response, LARGE.length);
        });
      });
      client.destroy();
    });
    onTestFinished(() => server.close());
    const client = await ask(server.port, '/never', '/late');
    await isOver;
    expect(inFlight.queuedBytes).toBe(0);
  });

  it('is released once if it and its connection close together (bug: on Node 24 the limits rose permanently)', () => {
    const inFlight = new InFlight();
    const socket = new Socket();
    const request = new IncomingMessage(socket);
    const response = new ServerResponse(request);
    socket.on('close', () => response.emit('close'));
    inFlight.tryEnter('client');
    response.end(LARGE);
    leaveWhenTaken(inFlight, 'client', request, response, LARGE.length);
    expect([inFlight.count, inFlight.queuedBytes]).toEqual([1, LARGE.length]);
    socket.emit('close');
    expect([inFlight.count, inFlight.queuedBytes]).toEqual([0, 0]);
  });

  it('is released with its connection even if it was never written', async () => {
    const inFlight = new InFlight();
    const client = await ask(await serve(inFlight), '/never', '/small', '/large');
    await until(() => inFlight.queuedBytes === LARGE.length + 'small'.length);
    client.destroy();
    await until(() => inFlight.queuedBytes === 0);
    expect(inFlight.count).toBe(1);
  });

  it('causes rejections while too many bytes are waiting', async () => {
    const inFlight = new InFlight(10, { queuedBytesMax: LARGE.length });
    const port = await serve(inFlight);
    const client = await ask(port, '/large');
    await until(() => inFlight.queuedBytes > 0);
    expect((await fetch(`http://127.0.0.1:${port}/small`)).status).toBe(503);
    client.destroy();
    await until(() => inFlight.queuedBytes === 0);
    expect((await fetch(`http://127.0.0.1:${port}/small`)).status).toBe(200);
  });
});
