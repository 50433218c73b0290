import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { TOKEN_LIFETIME_MS } from '../../src/rollup/auth/tokens.ts';
import { ROLLUP_BOOKS } from '../../src/rollup/books/item.ts';
import { PUBSUB_LIMITS } from '../../src/rpc/pubsub/limits.ts';
import { PUBSUB_METHODS } from '../../src/rpc/pubsub/pubsub.ts';
import type { PubSubClient } from '../../src/rpc/pubsub/testing/pubsub-client.ts';
import { canariesIn, canariesOf } from './canaries.ts';
import { EVERYBODY, type PrivateNode, startPrivateNode, type Who } from './private-node.ts';
import { onBothLayouts } from './private-scene.ts';

/*
 * Goal: no subscription shows a stranger Alice's private data.
 * Method: everyone opens every subscription, Alice pays Bob, the rollup writes its books, and slots pass. The
 * notifications are counted and searched.
 */

onBothLayouts((layout) => {
  let node: PrivateNode;
  const start = async (): Promise<void> => {
    node = await startPrivateNode(layout);
    await node.passSlots(1);
  };
  const stop = (): Promise<void> => node.close();

  /** The subscription, and the expected numbers of notifications for strangers and for the owner. */
  interface SubscriptionCase {
    readonly params: (landed: string) => readonly unknown[];
    readonly strangers: number;
    readonly owner: number;
    /** Whether those of the owner have something in them that only she may know. */
    readonly isOwn: boolean;
  }

  const BASE64 = { encoding: 'base64' };
  const PARSED = { encoding: 'jsonParsed' };

  const of = (
    params: SubscriptionCase['params'],
    strangers: number,
    owner: number,
    isOwn: boolean,
  ): SubscriptionCase => ({ params, strangers, owner, isOwn });

  const CASES: Readonly<Record<string, readonly SubscriptionCase[]>> = {
    accountSubscribe: [
      of(() => [node.alice.ata, BASE64], 0, 1, true),
      of(() => [node.alice.ata, PARSED], 0, 1, true),
      of(() => [node.bob.ata, BASE64], 1, 1, false),
      of(() => [ROLLUP_BOOKS, BASE64], 0, 0, false),
    ],
    programSubscribe: [
      of(() => [TOKEN_PROGRAM, BASE64], 1, 2, true),
      of(() => [TOKEN_PROGRAM, PARSED], 1, 2, true),
      // On layout A nothing keeps the eATAs of this rollup up to date.
      layout === 'a'
        ? of(() => [EPHEMERAL_TOKEN_PROGRAM, BASE64], 0, 0, false)
        : of(() => [EPHEMERAL_TOKEN_PROGRAM, BASE64], 1, 2, true),
    ],
    logsSubscribe: [
      of(() => ['all'], 0, 1, true),
      of(() => [{ mentions: [node.alice.ata] }], 0, 1, true),
      of(() => [{ mentions: [node.alice.address] }], 0, 1, true),
      of(() => [{ mentions: [node.bob.ata] }], 0, 1, true),
    ],
    signatureSubscribe: [
      of((landed) => [landed], 1, 1, false),
      of((landed) => [landed, { enableReceivedNotification: true }], 2, 2, false),
    ],
    slotSubscribe: [of(() => [], 1, 1, false)],
    slotsUpdatesSubscribe: [of(() => [], 4, 4, false)],
    rootSubscribe: [of(() => [], 1, 1, false)],
    blockSubscribe: [
      of(() => ['all', { encoding: 'base64' }], 1, 1, true),
      of(() => ['all', { encoding: 'jsonParsed' }], 1, 1, true),
      of(() => ['all', { transactionDetails: 'accounts' }], 1, 1, true),
      of(() => ['all', { transactionDetails: 'signatures' }], 1, 1, true),
      of(() => [{ mentionsAccountOrProgram: node.alice.ata }], 0, 1, true),
    ],
  };

  const SUBSCRIPTIONS = PUBSUB_METHODS.map(({ name }) => name).filter((name) => name.endsWith('Subscribe'));

  it('has a case for every subscription, and no others', () => {
    expect(Object.keys(CASES).sort()).toEqual([...SUBSCRIPTIONS].sort());
  });

  /** The notifications that a client has received so far. */
  async function received(client: PubSubClient): Promise<string[]> {
    client.send('{"jsonrpc":"2.0","id":"end","method":"getVersion"}');
    const messages: string[] = [];
    for (let message = await client.next(); !message.includes('"id":"end"'); message = await client.next()) {
      messages.push(message);
    }
    return messages;
  }

  describe('a subscription', () => {
    // One rollup for all: each has clients of its own.
    beforeAll(start);
    afterAll(stop);

    describe.each(Object.entries(CASES))('%s', (method, cases) => {
      it.each(cases.map((each, index) => [index, each] as const))(
        'case %i shows strangers nothing private, and shows owners their own data',
        async (_, { params, strangers, owner, isOwn }) => {
          const landed = await node.pay(node.alice, node.bob, 11_111_111n);
          const clients = new Map<Who, PubSubClient>();
          for (const who of EVERYBODY) {
            const client = await node.connect(who);
            await client.subscribe(method, ...params(landed));
            clients.set(who, client);
          }
          const hidden =
            method === 'signatureSubscribe' ? landed : await node.pay(node.alice, node.bob, 24_242_424n);
          await node.writeBooks();
          const canaries = canariesOf(node, [landed, hidden]);
          node.timer.pass(PUBSUB_LIMITS.pastDelayMs);
          await node.passSlots(1);
          for (const [who, client] of clients) {
            const messages = await received(client);
            const found = canariesIn(messages.join('\n'), canaries);
            expect(messages, who).toHaveLength(who === 'alice' ? owner : strangers);
            if (who === 'alice' && isOwn) expect(found, who).not.toEqual([]);
            else if (who !== 'alice') expect(found, who).toEqual([]);
          }
        },
      );
    });
  });

  describe('a token', () => {
    beforeEach(start);
    afterEach(stop);

    it('opens no connection if it is invalid', async () => {
      const socket = new WebSocket(`${node.url.replace('http', 'ws')}/?token=bad`);
      const status = await new Promise((resolve) => {
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
        socket.on('error', () => {});
      });
      expect(status).toBe(401);
    });

    it('may be in the URL, as browsers send it', async () => {
      const socket = new WebSocket(`${node.url.replace('http', 'ws')}/?token=${node.tokens.alice}`);
      const isOpen = await new Promise((resolve) => socket.on('open', () => resolve(true)));
      expect(isOpen).toBe(true);
      socket.terminate();
    });

    it('makes its subscriptions see nothing private after it expires', async () => {
      const client = await node.connect('alice');
      await client.subscribe('accountSubscribe', node.alice.ata, BASE64);
      await client.subscribe('accountSubscribe', node.bob.ata, BASE64);
      await node.pay(node.alice, node.bob, 1n);
      expect(await received(client)).toHaveLength(2);
      await node.leap(TOKEN_LIFETIME_MS);
      await node.pay(node.alice, node.bob, 2n);
      const messages = await received(client);
      expect(messages).toHaveLength(1);
      expect(canariesIn(messages.join('\n'), canariesOf(node, []))).toEqual([]);
    });
  });

  describe('changed permissions', () => {
    beforeEach(start);
    afterEach(stop);

    it('apply to existing subscriptions', async () => {
      const client = await node.connect('sam');
      await client.subscribe('accountSubscribe', node.alice.ata, BASE64);
      await node.permit(node.alice, null);
      await node.pay(node.alice, node.bob, 1n);
      await node.permit(node.alice, []);
      await node.pay(node.alice, node.bob, 2n);
      expect(await received(client)).toHaveLength(1);
    });
  });
});
