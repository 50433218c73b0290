import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHostGuard } from '../../http/host-guard.ts';
import { accountOf } from '../../ledger/testing/make-account.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import { addressOf } from '../../solana/address.ts';
import type { SlotBegan } from './feeds.ts';
import { PUBSUB_LIMITS } from './limits.ts';
import { PubSubClient } from './testing/pubsub-client.ts';
import { type PubSubNode, startPubSubNode } from './testing/pubsub-node.ts';

const address = (seed: number) => addressOf(new Uint8Array(32).fill(seed));
const withData = (bytes: number) => accountOf(SYSTEM_PROGRAM, new Uint8Array(bytes));

/** Waits for what happens within the next turns of the event loop. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

describe('calls over a WebSocket', () => {
  it('are answered as over HTTP', async () => {
    const client = await (await startPubSubNode()).connect();
    for (const [call, answer] of [
      ['{"jsonrpc":"2.0","id":"a","method":"slotSubscribe"}', '{"jsonrpc":"2.0","result":0,"id":"a"}'],
      [
        '{"jsonrpc":"2.0","id":1,"method":"getSlot"}',
        '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}',
      ],
      [
        '{"jsonrpc":"2.0","id":1,"method":"voteSubscribe"}',
        '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}',
      ],
      ['{', '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}'],
      [
        '{"id":1,"method":"slotSubscribe"}',
        '{"error":{"code":-32600,"message":"Unsupported JSON-RPC protocol version"},"id":1}',
      ],
      [
        '{"jsonrpc":"2.0","id":1,"method":"getVersion"}',
        '{"jsonrpc":"2.0","result":{"feature-set":7,"solana-core":"4.2.1"},"id":1}',
      ],
      [
        '[{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"},{"jsonrpc":"2.0","id":2,"method":"slotUnsubscribe","params":[0]}]',
        '[{"jsonrpc":"2.0","result":0,"id":1},{"jsonrpc":"2.0","result":true,"id":2}]',
      ],
    ] as const) {
      client.send(call);
      expect(await client.next()).toBe(answer);
    }
  });

  it('that have no id, such as the pings of clients, are not', async () => {
    const client = await (await startPubSubNode()).connect();
    client.send('{"jsonrpc":"2.0","method":"ping"}');
    await client.expectSilence();
  });

  it('may come in binary messages', async () => {
    const client = await (await startPubSubNode()).connect();
    client.socket.send(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"rootSubscribe"}'));
    expect(await client.next()).toBe('{"jsonrpc":"2.0","result":0,"id":1}');
  });

  it('are answered in their order, a batch like a single call', async () => {
    const client = await (await startPubSubNode()).connect();
    client.send('[{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}]');
    client.send('{"jsonrpc":"2.0","id":2,"method":"rootSubscribe"}');
    expect(await client.next()).toBe('[{"jsonrpc":"2.0","result":0,"id":1}]');
    expect(await client.next()).toBe('{"jsonrpc":"2.0","result":1,"id":2}');
  });

  it.each([
    ['text that is too long', 'x'.repeat(PUBSUB_LIMITS.messageBytesMax + 1), 1009],
    ['bytes that are not text', Buffer.of(0xff, 0xfe), 1007],
  ])('end the connection when they are %s', async (_, message, code) => {
    const node = await startPubSubNode();
    const client = await node.connect();
    client.socket.send(message);
    expect(await client.closed()).toBe(code);
    await until(() => node.pubsub.connections === 0);
  });
});

describe('subscriptions', () => {
  it('to the same target have the same id, as in Agave, and others have another', async () => {
    const node = await startPubSubNode();
    const [one, two] = [await node.connect(), await node.connect()];
    const config = { encoding: 'base64' };
    const id = await one.subscribe('accountSubscribe', address(1), config);
    expect(await one.subscribe('accountSubscribe', address(1), config)).toBe(id);
    expect(await two.subscribe('accountSubscribe', address(1), config)).toBe(id);
    for (const other of [{}, { ...config, commitment: 'processed' }, { encoding: 'base58' }]) {
      expect(await two.subscribe('accountSubscribe', address(1), other)).not.toBe(id);
    }
    expect(node.pubsub.subscriptions).toBe(5);
    await node.ledger.setAccounts([[address(1), withData(0)]]);
    expect((await one.notified()).subscription).toBe(id);
    await one.expectSilence();
  });

  it('end by any of the unsubscribing methods, once, and only in their own connection', async () => {
    const node = await startPubSubNode();
    const [one, two] = [await node.connect(), await node.connect()];
    const id = await one.subscribe('accountSubscribe', address(1));
    expect(await two.call('accountUnsubscribe', id)).toBe(
      '"error":{"code":-32602,"message":"Invalid subscription id."}',
    );
    expect(await one.call('slotUnsubscribe', id)).toBe('"result":true');
    expect(await one.call('accountUnsubscribe', id)).toBe(
      '"error":{"code":-32602,"message":"Invalid subscription id."}',
    );
    await node.ledger.setAccounts([[address(1), withData(0)]]);
    await one.expectSilence();
    expect(await one.subscribe('accountSubscribe', address(1))).not.toBe(id);
  });

  it.each([
    [[], 'Invalid params: invalid length 0, expected a tuple of size 1.'],
    [['0'], 'Invalid params: invalid type: string \\"0\\", expected u64.'],
    [[-1], 'Invalid params: invalid value: integer `-1`, expected u64.'],
  ])('are not ended by %j', async (params, message) => {
    const client = await (await startPubSubNode()).connect();
    expect(await client.call('rootUnsubscribe', ...params)).toBe(
      `"error":{"code":-32602,"message":"${message}"}`,
    );
  });

  it('are rejected over the limit of all connections', async () => {
    const node = await startPubSubNode({ limits: { subscriptionsMax: 2 } });
    const client = await node.connect();
    await client.subscribe('slotSubscribe');
    const id = await client.subscribe('rootSubscribe');
    const refusal =
      '"error":{"code":-32603,"message":"Internal Error: Subscription refused. Node subscription limit reached"}';
    expect(await client.call('accountSubscribe', address(1))).toBe(refusal);
    await client.call('rootUnsubscribe', id);
    await client.subscribe('accountSubscribe', address(1));
  });

  it('to programs have their own limit, because each examines every change', async () => {
    const node = await startPubSubNode({ limits: { programFeedsMax: 2 } });
    const client = await node.connect();
    const filteredBy = (dataSize: number) =>
      ['programSubscribe', SYSTEM_PROGRAM, { filters: [{ dataSize }] }] as const;
    await client.subscribe(...filteredBy(1));
    const id = await client.subscribe(...filteredBy(2));
    expect(await client.call(...filteredBy(3))).toMatch(/^"error":\{"code":-32603,.*limit reached"\}$/);
    expect(await client.subscribe(...filteredBy(2))).toBe(id);
    await client.subscribe('accountSubscribe', address(1));
    await client.call('programUnsubscribe', id);
    await client.subscribe(...filteredBy(3));
    expect(await client.call(...filteredBy(2))).toMatch(/^"error":/);
  });

  it('end with their connection, even thousands, and leave no timer', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    for (let index = 0; index < 3_000; index++) {
      const account = addressOf(Buffer.from(`${index}`.padStart(32)));
      const [method, params] = [
        ['accountSubscribe', [account]],
        ['accountSubscribe', [account, { encoding: 'base64' }]],
        ['logsSubscribe', [{ mentions: [account] }]],
      ][index % 3] as [string, unknown[]];
      client.send(JSON.stringify({ jsonrpc: '2.0', id: index, method, params }));
    }
    for (let index = 0; index < 3_000; index++) await client.next();
    await client.subscribe('accountSubscribe', CLOCK_SYSVAR);
    expect(node.pubsub.subscriptions).toBe(3_001);
    client.socket.terminate();
    await until(() => node.pubsub.connections === 0);
    expect(node.pubsub.subscriptions).toBe(0);
    expect(node.timer.size).toBe(0);
  });
});

describe('notifications', () => {
  it('are sent after the ledger shows the change', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    await client.subscribe('slotSubscribe');
    node.passSlots(1);
    const { slot } = (await client.notified<SlotBegan>()).result;
    const body = { jsonrpc: '2.0', id: 1, method: 'getBlockHeight', params: [{ minContextSlot: slot }] };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(node.url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(await answer.json()).toHaveProperty('result');
  });

  it('are in slot order: earlier slots are reported before an event', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    await client.subscribe('slotSubscribe');
    await client.subscribe('accountSubscribe', address(1));
    node.clock.pass(2 * node.ledger.slotMs);
    await node.ledger.setAccounts([[address(1), withData(0)]]);
    const slots: unknown[] = [];
    for (let count = 0; count < 3; count++) slots.push((await client.notified()).method);
    expect(slots).toEqual(['slotNotification', 'slotNotification', 'accountNotification']);
    await client.expectSilence();
  });

  it('still reach others if one client is too slow, which is disconnected', async () => {
    const node = await startPubSubNode({ limits: { queuedBytesMax: 64 * 1024 } });
    const [slow, quick] = [await node.connect(), await node.connect()];
    for (const client of [slow, quick]) {
      await client.subscribe('accountSubscribe', address(1), { encoding: 'base64' });
    }
    slow.socket.pause();
    const lamports: number[] = [];
    for (let count = 1; node.pubsub.connections === 2; count++) {
      const account = { ...withData(1_000_000), lamports: BigInt(count) + 10_000_000_000n };
      await node.ledger.setAccounts([[address(1), account]]);
      const { result } = await quick.notified<{ value: { lamports: number } }>();
      lamports.push(result.value.lamports);
      if (node.pubsub.subscriptions === 1) node.timer.pass(PUBSUB_LIMITS.closeTimeoutMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(lamports).toEqual(lamports.map((_, index) => 10_000_000_001 + index));
    expect(node.pubsub.subscriptions).toBe(1);
    await quick.expectSilence();
  });

  it('larger than the bound reach a client that has nothing queued', async () => {
    const node = await startPubSubNode({ limits: { queuedBytesMax: 1_000 } });
    const client = await node.connect();
    await client.subscribe('accountSubscribe', address(1), { encoding: 'base64' });
    await node.ledger.setAccounts([[address(1), withData(100_000)]]);
    expect((await client.next()).length).toBeGreaterThan(100_000);
  });
});

describe('a connection', () => {
  it('is pinged, and disconnected if it does not answer', async () => {
    const node = await startPubSubNode();
    const [live, dead] = [await node.connect(), await node.connect()];
    const pinged = once(live.socket, 'ping');
    dead.socket.pause();
    node.timer.pass(PUBSUB_LIMITS.pingIntervalMs);
    await pinged;
    await live.expectSilence();
    node.timer.pass(PUBSUB_LIMITS.pingIntervalMs);
    await until(() => node.pubsub.connections === 1);
    await live.expectSilence();
  });

  it('ends with 1001 when the node stops, and is cut if the client does not answer', async () => {
    const node = await startPubSubNode();
    const [polite, frozen] = [await node.connect(), await node.connect()];
    await frozen.subscribe('slotSubscribe');
    frozen.socket.pause();
    const goodbye = polite.closed();
    const closed = node.pubsub.close();
    expect(await goodbye).toBe(1001);
    await until(() => node.pubsub.connections === 1);
    node.timer.pass(PUBSUB_LIMITS.closeTimeoutMs);
    await closed;
    expect([node.pubsub.connections, node.pubsub.subscriptions, node.timer.size]).toEqual([0, 0, 0]);
    expect(await handshake(node, '')).toMatch(/^HTTP\/1.1 503 /);
  });

  it('is rejected above the limit', async () => {
    const node = await startPubSubNode({ limits: { connectionsMax: 1 } });
    const first = await node.connect();
    expect(await handshake(node, '')).toMatch(/^HTTP\/1.1 503 /);
    first.socket.close();
    await until(() => node.pubsub.connections === 0);
    await (await node.connect()).expectSilence();
  });
});

const GUARD = createHostGuard({ boundHost: '127.0.0.1', allowedHosts: [], allowedOrigins: [] });

describe('a handshake', () => {
  it.each([
    ['any path', '/some/path?x=1', 'Host: localhost', /^HTTP\/1.1 101 /],
    ['a page of any site', '/', 'Host: localhost\r\nOrigin: https://explorer.solana.com', /^HTTP\/1.1 101 /],
    [
      'a foreign host',
      '/',
      'Host: evil.example',
      /^HTTP\/1.1 403 .*Provided Host header is not whitelisted\.\n$/s,
    ],
    ['a page without an origin', '/', 'Host: localhost\r\nOrigin: null', /^HTTP\/1.1 403 /],
  ])('for %s is checked as over HTTP', async (_, path, headers, answer) => {
    const node = await startPubSubNode({ guard: GUARD });
    expect(await handshake(node, headers, path)).toMatch(answer);
  });

  it.each([
    ['no key', 'Sec-WebSocket-Version: 13', /^HTTP\/1.1 400 /],
    [
      'another version',
      `${KEY()}\r\nSec-WebSocket-Version: 7`,
      /^HTTP\/1.1 400 .*Sec-WebSocket-Version: 13, 8/s,
    ],
  ])('with %s is rejected', async (_, headers, answer) => {
    const node = await startPubSubNode();
    const host = 'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket';
    expect(await sendRequest(node, `GET / HTTP/1.1\r\n${host}\r\n${headers}\r\n\r\n`)).toMatch(answer);
  });

  it('negotiates no compression', async () => {
    const node = await startPubSubNode();
    const client = await new PubSubClient(node.socketUrl, { perMessageDeflate: true }).opened();
    expect(client.socket.extensions).toBe('');
  });
});

function KEY(): string {
  return 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
}

function handshake(node: PubSubNode, headers: string, path = '/'): Promise<string> {
  const host = headers.includes('Host') ? headers : 'Host: localhost';
  return sendRequest(
    node,
    `GET ${path} HTTP/1.1\r\n${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${KEY()}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
}

/** Sends bytes over a bare connection and resolves with the first that come back. */
async function sendRequest(node: PubSubNode, request: string): Promise<string> {
  const socket: Socket = connect(Number(new URL(node.url).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  socket.write(request);
  const [answer] = await once(socket, 'data');
  return String(answer);
}
