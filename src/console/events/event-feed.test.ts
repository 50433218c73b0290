import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { HandTimer } from '../../ports/testing/hand-timer.ts';
import { PATIENCE } from '../../ports/testing/patience.ts';
import { type ConsoleEvent, EventFeed } from './event-feed.ts';

const settlement = (slot: number, signature = 'sig'): ConsoleEvent => ({
  kind: 'settlement',
  data: { mint: 'mint' as never, signature, slot, state: 'settled' },
});

/** A feed behind a port. */
async function serve(limits: object = {}): Promise<{ feed: EventFeed; timer: HandTimer; port: number }> {
  const timer = new HandTimer();
  const feed = new EventFeed(timer, limits);
  const server = createServer((incoming, response) => {
    if (!feed.hasRoom) return void response.writeHead(503).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return feed.open(response, incoming.headers['last-event-id'] !== undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    feed.close();
    server.closeAllConnections();
    server.close();
  });
  return { feed, timer, port: (server.address() as AddressInfo).port };
}

interface Listener {
  readonly status: number;
  /** All that has come so far. */
  text(): string;
  readonly response: IncomingMessage;
}

function listen(port: number, lastId?: string): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
    const asked = request({ host: '127.0.0.1', port, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', () => {});
      resolve({ status: response.statusCode ?? 0, text: () => text, response });
    });
    asked.on('error', reject).end();
  });
}

const eventsIn = (text: string): string[] =>
  [...text.matchAll(/^event: (\w+)$/gm)].map(([, kind = '']) => kind);

it('sends every event to all clients, and reset to one that reconnects', async () => {
  const { feed, port } = await serve();
  const one = await listen(port);
  feed.send(settlement(1));
  await vi.waitFor(() => expect(eventsIn(one.text())).toEqual(['hello', 'settlement']), PATIENCE);
  expect(one.text()).toContain('data: {"mint":"mint","signature":"sig","slot":1,"state":"settled"}\n\n');
  const back = await listen(port, '1');
  await vi.waitFor(() => expect(eventsIn(back.text())).toEqual(['hello', 'reset']), PATIENCE);
});

it('sends heartbeats, and has no timer without a client', async () => {
  const { timer, port } = await serve();
  expect(timer.size).toBe(0);
  const one = await listen(port);
  await vi.waitFor(() => expect(timer.size).toBe(1), PATIENCE);
  timer.pass(15_000);
  timer.pass(15_000);
  await vi.waitFor(() => expect(one.text().match(/^: heartbeat$/gm)).toHaveLength(2), PATIENCE);
  one.response.destroy();
  await vi.waitFor(() => expect(timer.size).toBe(0), PATIENCE);
});

it('accepts a limited number of clients, and none once it is closed', async () => {
  const { feed, port } = await serve({ streamsMax: 2 });
  const one = await listen(port);
  const other = await listen(port);
  expect([one.status, other.status, (await listen(port)).status]).toEqual([200, 200, 503]);
  one.response.destroy();
  await vi.waitFor(async () => expect(feed.hasRoom).toBe(true), PATIENCE);
  const ended = new Promise((resolve) => other.response.once('end', resolve));
  feed.close();
  await ended;
  expect((await listen(port)).status).toBe(503);
});

it('disconnects a client that does not read, and holds a bounded number of bytes for it', async () => {
  const { feed, timer, port } = await serve({ queuedBytesMax: 64 * 1024 });
  const one = await listen(port);
  one.response.pause();
  const long = 'x'.repeat(100_000);
  const before = process.memoryUsage().arrayBuffers;
  for (let slot = 1; slot <= 500; slot += 1) feed.send(settlement(slot, long));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 1024 * 1024);
  await vi.waitFor(() => expect(timer.size).toBe(0), PATIENCE);
});
