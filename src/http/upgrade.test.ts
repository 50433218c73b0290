import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readBody } from './body.ts';
import { HTTP_LIMITS } from './limits.ts';
import { type Listener, openListener, type RequestHandler } from './server.ts';

const opened: Socket[] = [];
let listener: Listener;

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await listener.close();
});

const HANDSHAKE = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n';
const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\n\r\n';

const serveBody: RequestHandler = (request, response) => {
  readBody(request, 1_000, (body) => response.end(`${request.method} ${request.url} ${body?.toString()}`));
};

async function open(): Promise<Socket> {
  const socket = connect(listener.port, '127.0.0.1');
  opened.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Sends `parts` one after another and resolves with the first that comes back. */
async function ask(socket: Socket, ...parts: readonly string[]): Promise<string> {
  for (const part of parts) await new Promise((resolve) => socket.write(part, resolve));
  const [answer] = await once(socket, 'data');
  return String(answer);
}

async function start(): Promise<Duplex[]> {
  const upgraded: Duplex[] = [];
  listener = await openListener('127.0.0.1', 0);
  listener.onUpgrade((_request, socket, head) => {
    upgraded.push(socket);
    socket.write(`${SWITCHED}${head.toString()}`);
  });
  return upgraded;
}

describe('a WebSocket handshake', () => {
  it('is passed on with its connection and the bytes behind its head', async () => {
    const upgraded = await start();
    listener.serve(serveBody);
    expect(await ask(await open(), `${HANDSHAKE}frame`)).toBe(`${SWITCHED}frame`);
    expect(upgraded).toHaveLength(1);
  });

  it('is answered with 503 until the listener serves', async () => {
    const upgraded = await start();
    const socket = await open();
    const closed = once(socket, 'close');
    expect(await ask(socket, HANDSHAKE)).toMatch(/^HTTP\/1.1 503 .*retry-after: 1.*starting\n$/s);
    await closed;
    expect(upgraded).toHaveLength(0);
  });

  it('is a plain request without an upgrade handler', async () => {
    listener = await openListener('127.0.0.1', 0);
    listener.serve((_request, response) => response.writeHead(405).end());
    expect(await ask(await open(), HANDSHAKE)).toMatch(/^HTTP\/1.1 405 /);
  });

  it('is rejected if half of the connections are upgraded (bug: idle ones blocked the port)', async () => {
    const upgraded = await start();
    listener.serve(serveBody);
    for (let count = 0; count < HTTP_LIMITS.upgradedMax; count++) {
      expect(await ask(await open(), HANDSHAKE)).toBe(SWITCHED);
    }
    expect(await ask(await open(), HANDSHAKE)).toMatch(/^HTTP\/1.1 503 .*no more connections\n$/s);
    expect(await ask(await open(), 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
    expect(upgraded).toHaveLength(HTTP_LIMITS.upgradedMax);
    upgraded[0]?.destroy();
    while (listener.counts.upgraded > HTTP_LIMITS.upgradedMax - 1) await new Promise(setImmediate);
    expect(await ask(await open(), HANDSHAKE)).toBe(SWITCHED);
  });

  it('may use every connection of a WebSocket port', async () => {
    listener = await openListener('127.0.0.1', 0);
    listener.serve(serveBody);
    listener.onUpgrade((_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'), 600);
    for (let count = 0; count < 600; count++) {
      expect(await ask(await open(), HANDSHAKE)).toMatch(/^HTTP\/1.1 101 /);
    }
    expect(await ask(await open(), HANDSHAKE)).toMatch(/^HTTP\/1.1 503 /);
  });

  it('is subject to the header limit', async () => {
    const upgraded = await start();
    listener.serve(serveBody);
    const many = Array.from({ length: HTTP_LIMITS.headerCountMax }, (_, index) => `x-${index}: y\r\n`);
    const handshake = HANDSHAKE.replace('Host: a\r\n', `Host: a\r\n${many.join('')}`);
    expect(await ask(await open(), handshake)).toMatch(/^HTTP\/1.1 431 /);
    expect(upgraded).toHaveLength(0);
  });
});

describe('an upgrade to another protocol than WebSocket', () => {
  const OFFER = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n';

  it.each([
    ['in one piece', [`POST /x HTTP/1.1\r\nHost: a\r\n${OFFER}Content-Length: 4\r\n\r\nbody`]],
    ['in two', [`POST /x HTTP/1.1\r\nHost: a\r\n${OFFER}Content-Length: 4\r\n\r\nbo`, 'dy']],
    [
      'in chunks',
      [`POST /x HTTP/1.1\r\nHost: a\r\n${OFFER}Transfer-Encoding: chunked\r\n\r\n`, '4\r\nbody\r\n0\r\n\r\n'],
    ],
  ])('is ignored and its request served, sent %s', async (_, parts) => {
    const upgraded = await start();
    listener.serve(serveBody);
    const socket = await open();
    expect(await ask(socket, ...parts)).toMatch(/^HTTP\/1.1 200 .*POST \/x body/s);
    expect(await ask(socket, 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/GET \/next/);
    expect(await ask(socket, HANDSHAKE)).toBe(SWITCHED);
    expect(upgraded).toHaveLength(1);
  });
});

describe('an upgraded connection', () => {
  async function upgrade(): Promise<[ours: Duplex, theirs: Socket]> {
    const taken = await start();
    listener.serve(serveBody);
    const socket = await open();
    await ask(socket, HANDSHAKE);
    return [taken[0] as Duplex, socket];
  }

  it(
    'does not delay a drain and stays open during it',
    async () => {
      const [ours, theirs] = await upgrade();
      expect(listener.counts.upgraded).toBe(1);
      await listener.close();
      ours.write('goodbye');
      expect(String((await once(theirs, 'data'))[0])).toBe('goodbye');
    },
    HTTP_LIMITS.drainTimeoutMs - 500,
  );

  it('is closed when the drain time is over', async () => {
    const [, theirs] = await upgrade();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const closed = once(theirs, 'close');
    const drained = listener.close();
    vi.advanceTimersByTime(HTTP_LIMITS.drainTimeoutMs);
    await drained;
    await closed;
    expect(listener.counts.upgraded).toBe(0);
  });

  it('does not crash the process if it breaks', async () => {
    const [ours, theirs] = await upgrade();
    const closed = new Promise((resolve) => ours.on('close', resolve));
    theirs.resetAndDestroy();
    await closed;
    expect(listener.counts.upgraded).toBe(0);
  });
});
