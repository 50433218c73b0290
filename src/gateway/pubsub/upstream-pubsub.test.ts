import { describe, expect, it, vi } from 'vitest';
import { TIMEOUT_MS } from '../../chain/upstream/upstream.ts';
import { PATIENCE } from '../../ports/testing/patience.ts';
import { PUBSUB_LIMITS } from '../../rpc/pubsub/limits.ts';
import type { PubSubClient } from '../../rpc/pubsub/testing/pubsub-client.ts';
import { type RunningPubSub, startUpstreamPubSub } from '../testing/running-pubsub.ts';
import { type AskedCall, startScriptedSocket } from '../testing/scripted-socket.ts';

const KEY = 'So11111111111111111111111111111111111111112';

/** The pauses after the first losses are at most this long, ms. */
const PAUSE_MS = 1_000;
/** A read of a gap begins after this time, ms. */
const READ_DELAY_MS = 1_000;

const accountAt = (slot: number, lamports: number) => ({ context: { slot }, value: { lamports } });

/** Fails if the client has an unread message, which would arrive before the answer to the call. */
async function expectSilence(client: PubSubClient): Promise<void> {
  expect(await client.call('slotUnsubscribe', 999)).toContain('Invalid subscription id.');
}

/** Subscribes a client, and has the upstream accept the subscription. */
async function subscribed(
  gateway: RunningPubSub,
  upstream: { next(): Promise<AskedCall> },
  method: string,
  ...params: readonly unknown[]
) {
  const client = await gateway.connect();
  const subscribing = client.subscribe(method, ...params);
  const asked = await upstream.next();
  asked.accept();
  return { client, asked, id: await subscribing };
}

/** Ends the connection of a call, and lets the pause pass once the gateway has noticed. */
async function lose(gateway: RunningPubSub, asked: AskedCall): Promise<void> {
  const before = gateway.lines.filter((line) => line.includes('is lost')).length;
  asked.cut();
  await vi.waitFor(
    () => expect(gateway.lines.filter((line) => line.includes('is lost'))).toHaveLength(before + 1),
    PATIENCE,
  );
  gateway.timer.pass(PAUSE_MS);
}

describe('subscriptions with equal method and parameters', () => {
  it('are one subscription to the upstream for a hundred clients', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const clients = await Promise.all(Array.from({ length: 100 }, () => gateway.connect()));
    const subscribing = clients.map((client, at) =>
      client.subscribe(
        'accountSubscribe',
        KEY,
        at % 2 === 0
          ? { encoding: 'base64', commitment: 'confirmed' }
          : { commitment: 'confirmed', encoding: 'base64' },
      ),
    );
    const asked = await upstream.next();
    await vi.waitFor(() => expect(gateway.pubsub.subscriptions).toBe(100), PATIENCE);
    asked.accept(7);
    const ids = new Set(await Promise.all(subscribing));
    expect(ids.size).toBe(1);
    asked.notify(accountAt(5, 1), 7);
    for (const client of clients) expect((await client.notified()).result).toEqual(accountAt(5, 1));
    expect(upstream.connections).toBe(1);
    expect(upstream.calls.map(({ method }) => method)).toEqual(['accountSubscribe']);
    expect(gateway.pubsub.upstreamSubscriptions).toBe(1);
  });

  it('end at the upstream when the last client leaves', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const { client, id } = await subscribed(gateway, upstream, 'logsSubscribe', 'all');
    const other = await gateway.connect();
    expect(await other.subscribe('logsSubscribe', 'all')).toBe(id);
    await client.call('logsUnsubscribe', id);
    await expectSilence(client);
    expect(upstream.calls).toHaveLength(1);
    other.socket.terminate();
    expect(await upstream.next()).toMatchObject({ method: 'logsUnsubscribe', params: [1] });
    expect(gateway.pubsub.upstreamSubscriptions).toBe(0);
  });

  it('end with the answer if the client left before it', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const client = await gateway.connect();
    void client.call('slotSubscribe');
    const asked = await upstream.next();
    client.socket.terminate();
    await vi.waitFor(() => expect(gateway.pubsub.connections).toBe(0), PATIENCE);
    asked.accept(3);
    expect(await upstream.next()).toMatchObject({ method: 'slotUnsubscribe', params: [3] });
  });

  it('share an id of the upstream, which ends with the last of them', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const { client, id, asked } = await subscribed(gateway, upstream, 'accountSubscribe', KEY);
    const subscribing = client.subscribe('accountSubscribe', KEY, { commitment: 'finalized' });
    (await upstream.next()).accept(1);
    const otherId = await subscribing;
    expect(otherId).not.toBe(id);
    asked.notify(accountAt(5, 1));
    expect([(await client.notified()).subscription, (await client.notified()).subscription]).toEqual([
      id,
      otherId,
    ]);
    await client.call('accountUnsubscribe', id);
    asked.notify(accountAt(6, 2));
    expect((await client.notified()).subscription).toBe(otherId);
    await client.call('accountUnsubscribe', otherId);
    expect(await upstream.next()).toMatchObject({ method: 'accountUnsubscribe', params: [1] });
  });
});

describe('a subscription whose id the upstream has ended', () => {
  it('is requested again (bug: it was silent, because another with the same meaning ended meanwhile)', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const { client, id } = await subscribed(gateway, upstream, 'accountSubscribe', KEY);
    const other = await gateway.connect();
    const subscribing = other.subscribe('accountSubscribe', KEY, { commitment: 'finalized' });
    const asked = await upstream.next();
    await client.call('accountUnsubscribe', id);
    expect(await upstream.next()).toMatchObject({ method: 'accountUnsubscribe', params: [1] });
    // Nodes give one connection the same id for the same meaning. They have ended it in the meantime.
    asked.accept(1);
    const again = await upstream.next();
    expect(again).toMatchObject({ method: 'accountSubscribe', params: [KEY, { commitment: 'finalized' }] });
    again.accept(8);
    const otherId = await subscribing;
    again.notify(accountAt(5, 1), 8);
    expect((await other.notified()).subscription).toBe(otherId);
  });
});

it('a subscription that is accepted too late ends (bug: the upstream served it until the next loss)', async () => {
  const upstream = await startScriptedSocket();
  const gateway = await startUpstreamPubSub([upstream.url]);
  const client = await gateway.connect();
  const subscribing = client.call('slotSubscribe');
  const asked = await upstream.next();
  gateway.timer.pass(TIMEOUT_MS);
  expect(await subscribing).toContain('UPSTREAM_TIMEOUT');
  asked.accept(3);
  expect(await upstream.next()).toMatchObject({ method: 'slotUnsubscribe', params: [3] });
});

describe('a notification', () => {
  it('is forwarded with its digits, under the id of the client', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const { client, asked, id } = await subscribed(gateway, upstream, 'accountSubscribe', KEY);
    const result = '{"context":{"slot":5}, "value":{"rentEpoch":18446744073709551615}}';
    asked.send(
      `{"jsonrpc":"2.0","method":"accountNotification","params":{"result":${result},"subscription":1}}`,
    );
    expect(await client.next()).toBe(
      `{"jsonrpc":"2.0","method":"accountNotification","params":{"result":${result},"subscription":${id}}}`,
    );
  });

  it('follows the answer if both arrive together', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const client = await gateway.connect();
    const subscribing = client.subscribe('signatureSubscribe', 'x');
    const asked = await upstream.next();
    asked.accept();
    asked.notify({ context: { slot: 5 }, value: { err: null } });
    const id = await subscribing;
    // Clients start listening only after they have read the id.
    await expectSilence(client);
    gateway.timer.pass(PUBSUB_LIMITS.pastDelayMs);
    expect((await client.notified()).subscription).toBe(id);
  });

  it('is dropped if it is repeated or older than one before', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const { client, asked } = await subscribed(gateway, upstream, 'accountSubscribe', KEY);
    for (const [slot, lamports] of [
      [5, 1],
      [5, 1],
      [7, 3],
      [6, 2],
      [7, 3],
      [7, 4],
      [7, 3],
    ] as const) {
      asked.notify(accountAt(slot, lamports));
    }
    const got = [];
    for (let count = 0; count < 4; count++) got.push((await client.notified()).result);
    // The account had its state again in the same slot.
    expect(got).toEqual([accountAt(5, 1), accountAt(7, 3), accountAt(7, 4), accountAt(7, 3)]);
    await expectSilence(client);
  });

  it('of a program is compared with those of its account only', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const { client, asked } = await subscribed(gateway, upstream, 'programSubscribe', KEY);
    const of = (pubkey: string, slot: number) => ({
      context: { slot },
      value: { pubkey, account: { lamports: slot } },
    });
    for (const [pubkey, slot] of [
      ['a', 6],
      ['b', 5],
      ['a', 6],
      ['a', 5],
      ['b', 6],
    ] as const)
      asked.notify(of(pubkey, slot));
    for (const expected of [of('a', 6), of('b', 5), of('b', 6)]) {
      expect((await client.notified()).result).toEqual(expected);
    }
    await expectSilence(client);
  });

  it('of a signature is sent once, and ends the subscription', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const { client, asked, id } = await subscribed(gateway, upstream, 'signatureSubscribe', 'x', {
      enableReceivedNotification: true,
    });
    asked.notify({ context: { slot: 4 }, value: 'receivedSignature' });
    for (let count = 0; count < 2; count++) asked.notify({ context: { slot: 5 }, value: { err: null } });
    expect((await client.notified()).result).toMatchObject({ value: 'receivedSignature' });
    expect((await client.notified()).result).toMatchObject({ value: { err: null } });
    await expectSilence(client);
    expect(await client.call('signatureUnsubscribe', id)).toContain('Invalid subscription id.');
    expect(gateway.pubsub.upstreamSubscriptions).toBe(0);
  });

  it('that contains a key of the URL is not forwarded', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([`${upstream.url.href}?api-key=c4n4ry-c4n4ry`]);
    const { client, asked } = await subscribed(gateway, upstream, 'logsSubscribe', 'all');
    asked.notify({ context: { slot: 5 }, value: { signature: 'c4n4ry-c4n4ry' } });
    asked.notify({ context: { slot: 6 }, value: { signature: 's' } });
    expect(await client.notified()).toMatchObject({ result: { context: { slot: 6 } } });
    const subscribing = client.call('slotSubscribe');
    (await upstream.next()).refuse({ code: -32_000, message: 'bad key c4n4ry-c4n4ry' });
    expect(await subscribing).toContain('UPSTREAM_INVALID');
    expect(gateway.lines.join('\n')).not.toContain('c4n4ry');
  });
});

describe('the error of an upstream', () => {
  it('is the answer to all clients that wait for the subscription', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const clients = [await gateway.connect(), await gateway.connect()];
    const answers = clients.map((client) => client.call('accountSubscribe', 'nonsense'));
    const asked = await upstream.next();
    await vi.waitFor(() => expect(gateway.pubsub.subscriptions).toBe(2), PATIENCE);
    asked.refuse({ code: -32_602, message: 'Invalid pubkey', data: { index: 18_446 } });
    const error = '"error":{"code":-32602,"message":"Invalid pubkey","data":{"index":18446}}';
    expect(await Promise.all(answers)).toEqual([error, error]);
    expect([gateway.pubsub.subscriptions, gateway.pubsub.upstreamSubscriptions]).toEqual([0, 0]);
  });

  it('to a subscription after a loss disconnects its clients, and only those', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const { client, asked } = await subscribed(gateway, upstream, 'logsSubscribe', 'all');
    const other = await gateway.connect();
    const subscribing = other.subscribe('slotSubscribe');
    (await upstream.next()).accept();
    await subscribing;
    const closed = client.closed();
    await lose(gateway, asked);
    (await upstream.next()).refuse({ code: -32_601, message: 'Method not found' });
    const again = await upstream.next();
    again.accept();
    expect(await closed).toBe(1013);
    again.notify({ slot: 5, parent: 4, root: 3 });
    expect((await other.notified()).result).toEqual({ slot: 5, parent: 4, root: 3 });
  });
});

/** Answers reads like an upstream, and records them. */
function readsOf(answers: Readonly<Record<string, unknown>>) {
  const reads: { readonly method: string; readonly params: unknown }[] = [];
  const read = (body: string): Promise<string> => {
    const { id, method, params } = JSON.parse(body);
    reads.push({ method, params });
    const result = answers[method];
    return Promise.resolve(
      JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error: {} } : { result }) }),
    );
  };
  return { reads, read };
}

describe('after the loss of the upstream', () => {
  it('subscriptions continue under their ids, on another URL', async () => {
    const [first, second] = [await startScriptedSocket(), await startScriptedSocket()];
    const gateway = await startUpstreamPubSub([first.url, second.url]);
    const { client, asked, id } = await subscribed(gateway, first, 'logsSubscribe', 'all');
    await lose(gateway, asked);
    const again = await second.next();
    expect(again).toMatchObject({ method: 'logsSubscribe', params: ['all'] });
    // A client that joins now does not wait.
    expect(await (await gateway.connect()).subscribe('logsSubscribe', 'all')).toBe(id);
    again.accept(70);
    again.notify({ context: { slot: 9 }, value: { signature: 's' } }, 70);
    expect(await client.notified()).toMatchObject({ subscription: id, result: { context: { slot: 9 } } });
  });

  it('notifications are not repeated, and missed ones of the same slot are delivered', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const { client, asked } = await subscribed(gateway, upstream, 'accountSubscribe', KEY);
    asked.notify(accountAt(5, 1));
    asked.notify(accountAt(5, 2));
    for (const lamports of [1, 2]) expect((await client.notified()).result).toEqual(accountAt(5, lamports));
    await lose(gateway, asked);
    const again = await upstream.next();
    again.accept();
    for (const lamports of [1, 2, 3]) again.notify(accountAt(5, lamports));
    expect((await client.notified()).result).toEqual(accountAt(5, 3));
    await expectSilence(client);
  });

  it('an account is read, and reported if it has changed', async () => {
    const upstream = await startScriptedSocket();
    const present = { context: { slot: 8, apiVersion: '4' }, value: { lamports: 1 } as object | null };
    const { reads, read } = readsOf({ getAccountInfo: present });
    const gateway = await startUpstreamPubSub([upstream.url], { read });
    const config = { encoding: 'base64', dataSlice: { offset: 0, length: 1 } };
    let { client, asked } = await subscribed(gateway, upstream, 'accountSubscribe', KEY, config);
    asked.notify(accountAt(5, 1));
    await client.next();
    const loseAndRead = async (): Promise<void> => {
      const before = reads.length;
      await lose(gateway, asked);
      asked = await upstream.next();
      asked.accept();
      await vi.waitFor(() => {
        gateway.timer.pass(READ_DELAY_MS / 4);
        expect(reads).toHaveLength(before + 1);
      }, PATIENCE);
    };
    await loseAndRead();
    expect(reads).toEqual([
      { method: 'getAccountInfo', params: [KEY, { encoding: 'base64', minContextSlot: 5 }] },
    ]);
    await expectSilence(client);
    present.value = { lamports: 2 };
    await loseAndRead();
    expect((await client.notified()).result).toEqual(accountAt(8, 2));
    // The upstream's own notification of the same change comes late.
    asked.notify(accountAt(8, 2));
    await expectSilence(client);
    present.value = null;
    await loseAndRead();
    expect((await client.notified()).result).toEqual({
      context: { slot: 8 },
      value: {
        lamports: 0,
        data: ['', 'base64'],
        owner: '11111111111111111111111111111111',
        executable: false,
        rentEpoch: 0,
        space: 0,
      },
    });
  });

  it.each([
    ['finalized', {}, true],
    ['confirmed', {}, false],
    ['confirmed', { commitment: 'confirmed' }, true],
    ['processed', { commitment: 'confirmed' }, false],
    [null, {}, true],
  ])(
    'a signature with the status %s is reported once to a subscription with %j: %s',
    async (confirmationStatus, config, isReported) => {
      const upstream = await startScriptedSocket();
      const { reads, read } = readsOf({
        getSignatureStatuses: { context: { slot: 9 }, value: [{ slot: 7, err: null, confirmationStatus }] },
      });
      const gateway = await startUpstreamPubSub([upstream.url], { read });
      const { client, asked, id } = await subscribed(gateway, upstream, 'signatureSubscribe', 'x', config);
      await lose(gateway, asked);
      const again = await upstream.next();
      again.accept(5);
      await vi.waitFor(() => {
        gateway.timer.pass(READ_DELAY_MS / 4);
        expect(reads).toEqual([
          { method: 'getSignatureStatuses', params: [['x'], { searchTransactionHistory: true }] },
        ]);
      }, PATIENCE);
      const result = { context: { slot: 7 }, value: { err: null } };
      if (isReported) {
        expect(await client.notified()).toMatchObject({ subscription: id, result });
        expect(await upstream.next()).toMatchObject({ method: 'signatureUnsubscribe', params: [5] });
      } else again.notify(result, 5);
      if (!isReported) expect(await client.notified()).toMatchObject({ subscription: id, result });
      again.notify(result, 5);
      await expectSilence(client);
      expect(gateway.pubsub.subscriptions).toBe(0);
    },
  );

  it('a read that fails is tried again, a limited number of times', async () => {
    const upstream = await startScriptedSocket();
    const { reads, read } = readsOf({});
    const gateway = await startUpstreamPubSub([upstream.url], { read });
    const { asked } = await subscribed(gateway, upstream, 'accountSubscribe', KEY);
    await lose(gateway, asked);
    (await upstream.next()).accept();
    await vi.waitFor(() => {
      gateway.timer.pass(READ_DELAY_MS);
      expect(gateway.lines.join('\n')).toContain('cannot be read');
    }, PATIENCE);
    expect(reads).toHaveLength(5);
  });

  it('a subscription without an answer makes the gateway connect again', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const { client, asked } = await subscribed(gateway, upstream, 'slotSubscribe');
    await lose(gateway, asked);
    await upstream.next();
    await vi.waitFor(() => {
      gateway.timer.pass(1_000);
      expect(upstream.connections).toBe(3);
    }, PATIENCE);
    const again = await upstream.next();
    again.accept();
    again.notify({ slot: 5, parent: 4, root: 3 });
    expect((await client.notified()).result).toMatchObject({ slot: 5 });
  });

  it('nothing is opened again if no client is left', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const { client, asked, id } = await subscribed(gateway, upstream, 'slotSubscribe');
    await client.call('slotUnsubscribe', id);
    await lose(gateway, asked);
    gateway.timer.pass(20_000);
    await expectSilence(client);
    expect(upstream.connections).toBe(1);
  });
});

describe('an upstream that cannot be reached', () => {
  it('is reported when all its URLs have failed', async () => {
    const gateway = await startUpstreamPubSub(['ws://127.0.0.1:1', 'ws://127.0.0.1:1']);
    const client = await gateway.connect();
    const answer = client.call('slotSubscribe');
    await vi.waitFor(() => expect(gateway.lines).toHaveLength(1), PATIENCE);
    gateway.timer.pass(PAUSE_MS);
    expect(await answer).toMatch(/^"error":\{"code":-32603,.*"reason":"UPSTREAM_UNAVAILABLE"/);
    expect(gateway.pubsub.subscriptions).toBe(0);
  });

  it('is reported after 5 s if it does not answer', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url]);
    const client = await gateway.connect();
    const answer = client.call('slotSubscribe');
    await upstream.next();
    gateway.timer.pass(5_000);
    expect(await answer).toMatch(/^"error":\{"code":-32603,.*"reason":"UPSTREAM_TIMEOUT"/);
    expect([gateway.pubsub.subscriptions, gateway.pubsub.upstreamSubscriptions]).toEqual([0, 0]);
    const again = client.subscribe('slotSubscribe');
    (await upstream.next()).accept();
    await again;
    expect(upstream.connections).toBe(1);
  });
});

describe('the limits of the server', () => {
  it('count the subscriptions of a client with its calls', async () => {
    const upstream = await startScriptedSocket();
    const limiter = { take: () => ({ isAllowed: false, retryAfterSeconds: 3 }) };
    const gateway = await startUpstreamPubSub([upstream.url], { limiter });
    expect(await (await gateway.connect()).call('slotSubscribe')).toContain('"code":429');
    expect(upstream.connections).toBe(0);
  });

  it('bound the subscriptions of all clients before the upstream is asked', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url], {
      limits: { subscriptionsMax: 1, programFeedsMax: 1 },
    });
    const { client } = await subscribed(gateway, upstream, 'programSubscribe', KEY);
    expect(await client.call('rootSubscribe')).toContain('Node subscription limit reached');
    expect(upstream.calls).toHaveLength(1);
  });

  it('disconnect a client that does not read', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url], { limits: { queuedBytesMax: 1_000 } });
    const { client, asked } = await subscribed(gateway, upstream, 'logsSubscribe', 'all');
    client.socket.pause();
    const logs = ['x'.repeat(1_000_000)];
    await vi.waitFor(() => {
      asked.notify({ context: { slot: 5 }, value: { signature: `${Math.random()}`, logs } });
      expect(gateway.lines.join('\n')).toContain('too slow');
    }, PATIENCE);
  });

  it('forward only the subscriptions that are allowed', async () => {
    const upstream = await startScriptedSocket();
    const gateway = await startUpstreamPubSub([upstream.url], {
      isAllowed: (method) => method === 'voteSubscribe',
    });
    const { client } = await subscribed(gateway, upstream, 'voteSubscribe');
    for (const method of ['blockSubscribe', 'slotsUpdatesSubscribe', 'getAccountInfo']) {
      expect(await client.call(method)).toContain('-32601');
    }
  });
});
