import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import { silentLogger } from '../../ports/logger.ts';
import { systemRandom } from '../../ports/random.ts';
import { PATIENCE } from '../../ports/testing/patience.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { PUBSUB_LIMITS } from '../../rpc/pubsub/limits.ts';
import type { PubSubClient } from '../../rpc/pubsub/testing/pubsub-client.ts';
import { type PubSubNode, startPubSubNode } from '../../rpc/pubsub/testing/pubsub-node.ts';
import { openTcpCutter, type TcpCutter } from '../../state/testing/tcp-cutter.ts';
import { createGateway } from '../gateway.ts';
import { type RunningPubSub, startUpstreamPubSub } from '../testing/running-pubsub.ts';

/** An embedded ledger, and a gateway whose WebSocket to it can be cut. */
interface Scene {
  readonly node: PubSubNode;
  readonly gateway: RunningPubSub;
  readonly cutter: TcpCutter;
}

async function open(): Promise<Scene> {
  const node = await startPubSubNode();
  const cutter = await openTcpCutter(Number(new URL(node.url).port));
  onTestFinished(() => cutter.close());
  const reads = createGateway({
    urls: [new URL(node.url)],
    isAllowed: () => true,
    batchMax: 1,
    ports: { clock: systemClock, random: systemRandom, logger: silentLogger },
  });
  onTestFinished(() => reads.close());
  const gateway = await startUpstreamPubSub([`ws://127.0.0.1:${cutter.port}`], {
    read: async (body) => String(await reads.dispatch(body, { address: '', isGone: () => false })),
    isAllowed: () => true,
  });
  return { node, gateway, cutter };
}

/** Cuts the WebSocket, runs `meanwhile`, and lets the gateway connect and read again. */
async function interrupt({ node, gateway, cutter }: Scene, meanwhile: () => Promise<unknown>): Promise<void> {
  cutter.cut();
  await vi.waitFor(() => expect(node.pubsub.connections).toBe(0), PATIENCE);
  await meanwhile();
  cutter.restore();
  await vi.waitFor(() => {
    gateway.timer.pass(100);
    expect(node.pubsub.subscriptions).toBe(gateway.pubsub.upstreamSubscriptions);
  }, PATIENCE);
}

/** Waits for the next notification while time passes. */
async function notifiedLater({ gateway }: Scene, client: PubSubClient) {
  let isThere = false;
  const notified = client.notified().finally(() => (isThere = true));
  await vi.waitFor(() => {
    gateway.timer.pass(100);
    expect(isThere).toBe(true);
  }, PATIENCE);
  return notified;
}

async function expectSilence(client: PubSubClient): Promise<void> {
  expect(await client.call('slotUnsubscribe', 999)).toContain('Invalid subscription id.');
}

describe('a gateway in front of an embedded ledger', () => {
  it('sends the notifications of the ledger, apart from the id', async () => {
    const { node, gateway } = await open();
    const wallet = await node.fundedWallet();
    const kinds = [
      ['accountSubscribe', wallet.address, { encoding: 'jsonParsed' }],
      ['programSubscribe', SYSTEM_PROGRAM, { encoding: 'base64', filters: [{ dataSize: 0 }] }],
      ['logsSubscribe', { mentions: [wallet.address] }],
      ['slotSubscribe'],
      ['rootSubscribe'],
      ['slotsUpdatesSubscribe'],
      ['blockSubscribe', 'all', { transactionDetails: 'signatures' }],
    ] as const;
    for (const [method, ...params] of kinds) {
      const [direct, client] = [await node.connect(), await gateway.connect()];
      await direct.subscribe(method, ...params);
      const id = await client.subscribe(method, ...params);
      await node.ledger.airdrop(wallet.address, 1n);
      node.passSlots(2);
      const expected = await direct.notified();
      expect(await client.notified(), method).toEqual({ ...expected, subscription: id });
      for (const each of [direct, client]) each.socket.terminate();
    }
  });

  it('forwards the ledger’s errors', async () => {
    const { node, gateway } = await open();
    for (const [method, ...params] of [
      ['accountSubscribe', 'nonsense'],
      ['signatureSubscribe'],
      ['programSubscribe', SYSTEM_PROGRAM, { encoding: 'x' }],
    ] as const) {
      const [direct, client] = [await node.connect(), await gateway.connect()];
      expect(await client.call(method, ...params)).toBe(await direct.call(method, ...params));
    }
  });

  it('uses one subscription for a hundred clients', async () => {
    const { node, gateway } = await open();
    const wallet = await node.fundedWallet();
    const clients = await Promise.all(Array.from({ length: 100 }, () => gateway.connect()));
    await Promise.all(clients.map((client) => client.subscribe('accountSubscribe', wallet.address)));
    expect([node.pubsub.connections, node.pubsub.subscriptions]).toEqual([1, 1]);
    await node.ledger.airdrop(wallet.address, 7n);
    for (const client of clients) {
      expect(await client.notified()).toMatchObject({ result: { value: { lamports: 10_000_000_007 } } });
    }
    for (const { socket } of clients) socket.terminate();
    await vi.waitFor(() => expect(node.pubsub.subscriptions).toBe(0), PATIENCE);
  });

  it('reports what an account became while the connection was lost, once', async () => {
    const scene = await open();
    const { node, gateway } = scene;
    const wallet = await node.fundedWallet();
    const client = await gateway.connect();
    await client.subscribe('accountSubscribe', wallet.address);
    await node.ledger.airdrop(wallet.address, 1n);
    expect(await client.notified()).toMatchObject({ result: { value: { lamports: 10_000_000_001 } } });
    await interrupt(scene, async () => {
      await node.ledger.airdrop(wallet.address, 1n);
      node.passSlots(1);
      await node.ledger.airdrop(wallet.address, 1n);
    });
    expect(await notifiedLater(scene, client)).toMatchObject({
      result: { value: { lamports: 10_000_000_003 } },
    });
    await interrupt(scene, () => Promise.resolve());
    for (let passed = 0; passed < 20; passed++) {
      gateway.timer.pass(100);
      await expectSilence(client);
    }
    await node.ledger.airdrop(wallet.address, 1n);
    expect(await client.notified()).toMatchObject({ result: { value: { lamports: 10_000_000_004 } } });
  });

  it('reports a transaction whose notification was lost, once', async () => {
    const scene = await open();
    const { node, gateway } = scene;
    const wallet = await node.fundedWallet();
    const signature = await node.ledger.airdrop(wallet.address, 1n);
    const client = await gateway.connect();
    const id = await client.subscribe('signatureSubscribe', signature, { commitment: 'confirmed' });
    await interrupt(scene, () => Promise.resolve());
    // The ledger itself reports it too, because it has landed.
    node.timer.pass(PUBSUB_LIMITS.pastDelayMs);
    expect(await notifiedLater(scene, client)).toMatchObject({
      subscription: id,
      result: { value: { err: null } },
    });
    for (let passed = 0; passed < 20; passed++) {
      gateway.timer.pass(100);
      await expectSilence(client);
    }
    expect(gateway.pubsub.subscriptions).toBe(0);
  });
});
