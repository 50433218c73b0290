import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../config/config.ts';
import { startUpstream } from '../gateway/testing/running-gateway.ts';
import { openListener } from '../http/server.ts';
import { LEDGER_METHODS } from '../rpc/methods/method-table.ts';
import { PubSubClient } from '../rpc/pubsub/testing/pubsub-client.ts';
import { startPubSubNode } from '../rpc/pubsub/testing/pubsub-node.ts';
import { sendRequest } from '../rpc/testing/send-request.ts';
import { limitNode, openExternalRollupNode, openGatewayNode, PAGE_READS } from './gateway-node.ts';
import { listenForLedger } from './listening.ts';
import type { NodeContext, StackNode } from './node.ts';
import { nodeContext } from './testing/node-context.ts';

const PAGE = fileURLToPath(new URL('../../console', import.meta.url));

const OPERATING = fileURLToPath(new URL('../../docs/operating.md', import.meta.url));

const call = (method: string, id = 1): object => ({ jsonrpc: '2.0', id, method });

/** What each kind of node is set up with that forwards to `url`. */
const NODES: Record<string, readonly [(context: NodeContext) => StackNode, (url: string) => object]> = {
  'a front of a real cluster': [
    openGatewayNode,
    (url) => ({ LEDGER_UPSTREAM_URL: url, BASE_RPC_URL: url, EPHEMERAL_RPC_URL: url, CLUSTER: 'mainnet' }),
  ],
  'the page to an external rollup': [
    openExternalRollupNode,
    (url) => ({ ROLLUP: 'external', EPHEMERAL_RPC_URL: url }),
  ],
};

/** A node behind its rate limit, with a stopped clock, so no allowance is refilled. */
async function start(kind: string, settings: Record<string, string> = {}) {
  const upstream = await startUpstream((body) => {
    const { id } = JSON.parse(body) as { readonly id: number };
    return JSON.stringify({ jsonrpc: '2.0', id, result: 5 });
  });
  const [open, settingsOf] = NODES[kind] as (typeof NODES)[string];
  const config = readConfig({ ...settingsOf(upstream.url.href), ...settings });
  const made = nodeContext(config);
  const context = { ...made, ports: { ...made.ports, clock: { now: () => 0 } } };
  const node = open(context);
  const listener = await openListener('127.0.0.1', 0);
  listener.serve(limitNode(node, context).handler);
  onTestFinished(async () => {
    await listener.close();
    await node.close();
  });
  const ask = (body: object) => sendRequest(listener.url, { body: JSON.stringify(body) });
  return { ask, upstream };
}

describe.each(Object.keys(NODES))('the node that forwards calls from %s', (kind) => {
  it('counts each call of a batch (bug: one body within the limit made a hundred calls with the operator’s key)', async () => {
    const limit = { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '3' };
    const { ask, upstream } = await start(kind, limit);
    const answers = JSON.parse(
      (await ask([1, 2, 3, 4, 5].map((id) => call('getBlockHeight', id)))).body,
    ) as unknown;
    expect(answers).toMatchObject([
      { id: 1, result: 5 },
      { id: 2, result: 5 },
      { id: 3, result: 5 },
      { id: 4, error: { code: 429 } },
      { id: 5, error: { code: 429 } },
    ]);
    expect((await ask(call('getBlockHeight'))).status).toBe(429);
    expect(upstream.bodies).toHaveLength(3);
  });

  it('accepts a whole batch without a rate limit', async () => {
    const { ask, upstream } = await start(kind);
    await ask([1, 2, 3, 4, 5].map((id) => call('getBlockHeight', id)));
    expect(upstream.bodies).toHaveLength(5);
  });
});

describe('the WebSocket of a front of a real cluster', () => {
  it('is that of LEDGER_UPSTREAM_URL, or of LEDGER_UPSTREAM_WS_URL, behind the rate limit', async () => {
    const upstream = await startPubSubNode();
    const config = readConfig({
      LEDGER_UPSTREAM_URL: upstream.url,
      LEDGER_UPSTREAM_WS_URL: upstream.socketUrl,
      LEDGER_RPC_PORT: '0',
      BASE_RPC_URL: upstream.url,
      EPHEMERAL_RPC_URL: upstream.url,
      RATE_LIMIT_PER_SECOND: '1',
      RATE_LIMIT_BURST: '3',
    });
    const made = nodeContext(config);
    const context = { ...made, ports: { ...made.ports, clock: { now: () => 0 } } };
    const node = openGatewayNode(context);
    const listeners = await listenForLedger(config);
    const probes = { guard: context.guard, logger: context.ports.logger, unreadiness: () => undefined };
    listeners.serve(limitNode(node, context), probes);
    const clients: PubSubClient[] = [];
    onTestFinished(async () => {
      await Promise.all([node.server.close(), listeners.close()]);
      await node.close();
    });
    for (const address of [listeners.addresses.rpc, listeners.addresses.pubsub]) {
      clients.push(await new PubSubClient(`ws://${address}`).opened());
    }
    const [first, second] = clients as [PubSubClient, PubSubClient];
    const id = await first.subscribe('slotSubscribe');
    upstream.passSlots(2);
    const parent = upstream.ledger.head().slot - 2;
    expect(await first.notified()).toEqual({
      method: 'slotNotification',
      subscription: id,
      result: { slot: parent + 1, parent, root: parent },
    });
    expect(await second.call('slotSubscribe')).toContain('"code":429');
    const metrics = await context.registry.write();
    expect(metrics).toContain('ledger_websocket_connections 2\n');
    expect(metrics).toContain('ledger_upstream_subscriptions 1\n');
  });
});

describe('the page’s way to an external rollup', () => {
  it('forwards only the reads of the page (bug: it forwarded all methods of a gateway)', async () => {
    const { ask, upstream } = await start('the page to an external rollup');
    for (const method of ['sendTransaction', 'simulateTransaction', 'getProgramAccounts', 'setLogFilter']) {
      expect(JSON.parse((await ask(call(method))).body)).toMatchObject({ error: { code: -32601 } });
    }
    expect(upstream.bodies).toEqual([]);
    for (const method of PAGE_READS) {
      expect(JSON.parse((await ask(call(method))).body)).toMatchObject({ result: 5 });
    }
  });

  it('forwards every read named in the page’s sources and the document, and no others', () => {
    const sources = readdirSync(PAGE, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|(^|\/)testing\//.test(file))
      .map((file) => readFileSync(join(PAGE, file), 'utf8'));
    const named = LEDGER_METHODS.map(({ name }) => name)
      .filter((name) => name.startsWith('get') || name.startsWith('is'))
      .filter((name) => sources.some((source) => source.includes(`'${name}'`)));
    expect(named.toSorted()).toEqual(PAGE_READS.toSorted());
    const told = readFileSync(OPERATING, 'utf8').replaceAll(/\s+/g, ' ');
    expect(told).toContain(PAGE_READS.map((name) => `\`${name}\``).join(', '));
  });
});
