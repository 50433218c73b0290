import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { type Logger, silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { MemoryTables, type Tables } from '../ports/tables.ts';
import { HandTimer } from '../ports/testing/hand-timer.ts';
import { type Payment, TablePaymentStore } from '../settlement/payment-store.ts';
import { paymentOf } from '../settlement/testing/payments.ts';
import { LmdbTables } from '../state/lmdb-tables.ts';
import { freePort, missingPrograms } from '../state/testing/server-process.ts';
import { type Merchant, Merchants } from './merchants.ts';
import type { Order } from './order.ts';
import { TableRecordStore } from './record-store.ts';
import { WebhookSender } from './webhooks.ts';

const SHOP = 'https://shop.example.com/hooks?key=private';

/** Unix time at the start of each test, in ms. */
const START_MS = 1_800_000_000_123;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A request that a receiver got. */
interface Got {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly atMs: number;
}

/** The behavior of a receiver: it answers with a status, closes the connection, or never answers. */
type Behavior = number | 'breaks' | 'hangs' | 'is killed';

const merchantOf = (id: string, members: Partial<Merchant> = {}): Merchant => ({
  id,
  owner: id,
  version: 0,
  createdMs: 0,
  untilMs: null,
  keyHash: '',
  usedChallenge: '',
  webhookUrl: SHOP,
  ...members,
});

const orderOf = (id: string, members: Partial<Order> = {}): Order => ({
  id,
  owner: 'merchant',
  version: 0,
  createdMs: START_MS,
  untilMs: null,
  payer: 'payer',
  amount: '10000',
  mint: 'mint',
  decimals: 6,
  cluster: 'localnet-private',
  externalReference: `reference of ${id}`,
  description: 'Tea ☕',
  resource: 'https://shop.example.com/tea',
  requestHash: null,
  expiresMs: START_MS + HOUR_MS,
  inputHash: '',
  linkId: null,
  refunds: [],
  ...members,
});

/** Merchants, orders and payments on tables, and receivers with scripted behavior. */
class Scene {
  readonly timer = new HandTimer();
  readonly clock = { now: (): number => START_MS + this.timer.now() };
  readonly got: Got[] = [];
  readonly lines: unknown[] = [];
  /** The behavior at each attempt. The last one repeats. */
  behaviors: Behavior[] = [200];
  origins = ['https://shop.example.com'];
  /** The byte that each draw returns. */
  drawn = 0;
  tables: Tables;

  constructor(tables: Tables = new MemoryTables()) {
    this.tables = tables;
  }

  get store(): TablePaymentStore {
    return new TablePaymentStore(this.tables, this.clock);
  }

  get merchants(): Merchants {
    return new Merchants({
      store: this.#merchants,
      secret: new Uint8Array(32).fill(7),
      allowed: [],
      webhookOrigins: this.origins,
      clock: this.clock,
      random: systemRandom,
    });
  }

  get #merchants(): TableRecordStore<Merchant> {
    return new TableRecordStore<Merchant>(this.tables, 'merchants');
  }

  get orders(): TableRecordStore<Order> {
    return new TableRecordStore<Order>(this.tables, 'orders');
  }

  async addMerchant(id = 'merchant', members: Partial<Merchant> = {}): Promise<void> {
    await this.#merchants.create(merchantOf(id, members));
  }

  async setUrl(webhookUrl: string | null): Promise<void> {
    const merchant = (await this.#merchants.get('merchant')) as Merchant;
    await this.#merchants.replace({ ...merchant, version: merchant.version + 1, webhookUrl });
  }

  /** Stores the payment of a new order, and its outcome. */
  async finish(id: string, change: Partial<Payment> = { state: 'settled', slot: 9 }): Promise<void> {
    const { merchant = 'merchant', refundId = null } = change.order ?? {};
    const orderId = `order of ${id}`;
    if (change.order === undefined) await this.orders.create(orderOf(orderId, { owner: merchant }));
    const order = change.order ?? { merchant, orderId, refundId };
    const payment = paymentOf(id, {
      identifier: `order:${order.orderId}`,
      ...change,
      state: 'signed',
      order,
    });
    await this.store.create({ ...payment, createdMs: this.clock.now() }, 0);
    await this.store.advance(payment, { state: 'settled', ...change, finishedMs: this.clock.now() });
  }

  /** Opens a sender, as in a new process. */
  open(fetch: typeof globalThis.fetch = this.#fetch): WebhookSender {
    const { store, orders, merchants, clock, timer } = this;
    const note = (...line: unknown[]): void => void this.lines.push(line);
    const logger: Logger = { debug: note, info: note, warn: note, error: note };
    const find = async (id: string) => {
      const [order, payment] = await Promise.all([orders.get(id), store.get(`order:${id}`)]);
      return order && { order, payment };
    };
    const parts = { payments: store, checkout: { find }, merchants, fetch, clock, timer, logger };
    return new WebhookSender({ ...parts, random: { bytes: () => new Uint8Array([this.drawn]) } });
  }

  readonly #fetch: typeof globalThis.fetch = (url, { headers, body, redirect, signal } = {}) => {
    const [behavior = 200] = this.behaviors;
    if (this.behaviors.length > 1) this.behaviors.shift();
    this.got.push({
      url: url as string,
      headers: headers as Record<string, string>,
      body: String(body),
      atMs: this.timer.now(),
    });
    expect(redirect).toBe('manual');
    if (typeof behavior === 'number') return Promise.resolve(new Response(null, { status: behavior }));
    if (behavior === 'breaks') return Promise.reject(new TypeError('fetch failed'));
    return new Promise((_, reject) => {
      if (behavior === 'hangs') signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };

  async deliveryOf(id: string): Promise<Payment['delivery'] | undefined> {
    return (await this.store.get(id))?.delivery;
  }
}

/** Verifies a webhook as its receiver does: signature, and age of at most 5 minutes. */
function verify({ headers, body }: Pick<Got, 'headers' | 'body'>, secret: string, nowMs: number): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const isFresh = Math.abs(nowMs / 1_000 - Number(timestamp)) <= 300;
  return isFresh && String(signatures).split(' ').includes(`v1,${expected}`);
}

describe('an event', () => {
  it('is sent once with a signature of its id, the time and the body', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.finish('a');
    const sender = scene.open();
    await sender.sendDue();
    await sender.sendDue();
    expect(scene.got).toHaveLength(1);
    const [got] = scene.got as [Got];
    expect(got).toMatchObject({
      url: SHOP,
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'evt_a',
        'webhook-timestamp': '1800000000',
      },
    });
    const secret = scene.merchants.webhookSecretOf(merchantOf('merchant'));
    expect(verify(got, secret, START_MS)).toBe(true);
    expect(verify(got, secret, START_MS + 301 * SECOND_MS)).toBe(false);
    expect(verify({ ...got, body: got.body.replace('10000', '90000') }, secret, START_MS)).toBe(false);
    expect(verify(got, scene.merchants.webhookSecretOf(merchantOf('other')), START_MS)).toBe(false);
    expect(JSON.parse(got.body)).toEqual({
      type: 'payment.paid',
      timestamp: '2027-01-15T08:00:00.123Z',
      data: {
        payment: expect.objectContaining({
          id: 'order of a',
          externalReference: 'reference of order of a',
          amount: '10000',
          description: 'Tea ☕',
          status: 'paid',
          signature: 'signature of a',
          slot: 9,
        }),
      },
    });
    expect(await scene.deliveryOf('a')).toEqual({
      state: 'delivered',
      attempts: 1,
      status: 200,
      attemptedMs: START_MS,
    });
    expect(sender.counts).toEqual({ delivered: 1, failed: 0, abandoned: 0 });
  });

  it('reports the outcome of a payment or a refund, and shows the order as it was then', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.finish('failed', { state: 'failed', slot: 9, error: '"Custom"' });
    await scene.finish('expired', { state: 'expired' });
    const refund = { id: 'refund', reference: 'return', amount: '4000', createdMs: START_MS };
    await scene.finish('paid');
    const paid = (await scene.orders.get('order of paid')) as Order;
    await scene.orders.replace({ ...paid, version: 1, refunds: [refund] });
    for (const state of ['settled', 'failed', 'expired'] as const) {
      const order = { merchant: 'merchant', orderId: paid.id, refundId: 'refund' };
      await scene.finish(`refund ${state}`, { state, order, identifier: null, error: '"Custom"' });
    }
    // The order of the expired payment is paid and expires before the event arrives.
    const again = { merchant: 'merchant', orderId: 'order of expired', refundId: null };
    await scene.finish('again', { state: 'settled', order: again });
    scene.timer.pass(2 * HOUR_MS);
    await scene.open().sendDue();
    const bodies = Object.fromEntries(
      scene.got.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body) as unknown]),
    );
    expect(bodies).toMatchObject({
      evt_failed: {
        type: 'payment.failed',
        data: { payment: { status: 'failed', failure: '"Custom"' } },
      },
      evt_expired: { type: 'payment.expired', data: { payment: { status: 'created' } } },
      evt_again: { type: 'payment.paid', data: { payment: { id: 'order of expired', status: 'paid' } } },
      evt_paid: { type: 'payment.paid' },
      'evt_refund settled': {
        type: 'refund.paid',
        timestamp: '2027-01-15T08:00:00.123Z',
        data: {
          payment: { id: 'order of paid', status: 'paid' },
          refund: { id: 'refund', reference: 'return', amount: '4000', status: 'paid' },
        },
      },
      'evt_refund failed': { type: 'refund.failed', data: { refund: { status: 'failed' } } },
      'evt_refund expired': { type: 'refund.expired', data: { refund: { status: 'created' } } },
    });
    expect(scene.got).toHaveLength(7);
  });

  it('is repeated with the same id and bytes at growing intervals, and then abandoned', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.finish('a', { state: 'expired' });
    scene.behaviors = [500, 'breaks', 302, 404, 429, 503, 'breaks', 500, 500, 500];
    const sender = scene.open();
    const pauses = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS];
    for (const pauseMs of [...pauses, 10 * HOUR_MS, 14 * HOUR_MS, 20 * HOUR_MS, 24 * HOUR_MS, 0]) {
      const before = scene.got.length;
      await sender.sendDue();
      expect(scene.got.length).toBe(before + 1);
      if (pauseMs > 0) expect(await scene.deliveryOf('a')).toMatchObject({ state: 'due' });
      scene.timer.pass(pauseMs - 1);
      await sender.sendDue();
      expect(scene.got.length).toBe(before + 1);
      scene.timer.pass(1);
    }
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'abandoned', attempts: 10, status: 500 });
    expect(new Set(scene.got.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(['evt_a']));
    expect(new Set(scene.got.map(({ body }) => body)).size).toBe(1);
    const secret = scene.merchants.webhookSecretOf(merchantOf('merchant'));
    for (const got of scene.got) expect(verify(got, secret, START_MS + got.atMs)).toBe(true);
    expect(sender.counts).toEqual({ delivered: 0, failed: 9, abandoned: 1 });
    expect(JSON.stringify(scene.lines)).not.toMatch(/private|whsec|reference|signature/);
  });

  it('is delivered by a later attempt', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.finish('a');
    scene.behaviors = [500, 204];
    const sender = scene.open();
    await sender.sendDue();
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'due', attempts: 1, status: 500 });
    scene.timer.pass(5 * SECOND_MS);
    await sender.sendDue();
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'delivered', attempts: 2, status: 204 });
  });

  it('is repeated after a pause that is up to a tenth longer, so that events that failed together are spread', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.finish('a');
    scene.behaviors = [500];
    scene.drawn = 255;
    const sender = scene.open();
    await sender.sendDue();
    for (const [ms, attempts] of [
      [5_499, 1],
      [1, 2],
    ] as const) {
      scene.timer.pass(ms);
      await sender.sendDue();
      expect(await scene.deliveryOf('a')).toMatchObject({ attempts });
    }
  });

  it('is abandoned immediately if the receiver is gone', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.finish('a');
    scene.behaviors = [410];
    await scene.open().sendDue();
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'abandoned', attempts: 1, status: 410 });
  });

  it('is abandoned without an attempt if its merchant has no URL', async () => {
    const scene = new Scene();
    await scene.addMerchant('merchant', { webhookUrl: null });
    await scene.finish('a');
    await scene.open().sendDue();
    expect(scene.got).toEqual([]);
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'abandoned', attempts: 0, attemptedMs: null });
  });

  it('is not sent to an origin that the operator has removed, and is sent when it is allowed again', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.finish('a');
    scene.origins = ['https://other.example.com'];
    await scene.open().sendDue();
    expect(scene.got).toEqual([]);
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'due', attempts: 1, status: null });
    scene.origins = ['https://shop.example.com'];
    scene.timer.pass(5 * SECOND_MS);
    await scene.open().sendDue();
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  it('goes to the URL that its merchant has at the attempt', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.finish('a');
    scene.behaviors = [500, 200];
    const sender = scene.open();
    await sender.sendDue();
    await scene.setUrl('https://shop.example.com/new');
    scene.timer.pass(5 * SECOND_MS);
    await sender.sendDue();
    expect(scene.got.map(({ url }) => url)).toEqual([SHOP, 'https://shop.example.com/new']);
  });

  it('is sent again with the same id by another process if the first is killed during the attempt', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.finish('a');
    scene.behaviors = ['is killed', 200];
    void scene.open().sendDue();
    await expect.poll(() => scene.got.length).toBe(1);
    const other = scene.open();
    await other.sendDue();
    expect(scene.got).toHaveLength(1);
    scene.timer.pass(20 * SECOND_MS);
    await other.sendDue();
    const [first, second] = scene.got;
    expect(second).toMatchObject({ body: first?.body, headers: { 'webhook-id': 'evt_a' } });
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('is repeated after a restart between two attempts', async () => {
    const file = join(temporaryFolder(), 'payments.mdb');
    const first = new LmdbTables(file, silentLogger);
    const scene = new Scene(first);
    await scene.addMerchant();
    await scene.finish('a');
    scene.behaviors = [500, 200];
    await scene.open().sendDue();
    await first.close();
    const second = new LmdbTables(file, silentLogger);
    onTestFinished(() => second.close());
    scene.tables = second;
    const sender = scene.open();
    await sender.sendDue();
    expect(scene.got).toHaveLength(1);
    scene.timer.pass(5 * SECOND_MS);
    await sender.sendDue();
    expect(scene.got[1]).toMatchObject({ body: scene.got[0]?.body, headers: { 'webhook-id': 'evt_a' } });
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  it('is sent by only one of two replicas', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    const ids = Array.from({ length: 20 }, (_, at) => `payment ${at}`);
    for (const id of ids) await scene.finish(id);
    await Promise.all([scene.open().sendDue(), scene.open().sendDue()]);
    expect(scene.got.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
      ids.map((id) => `evt_${id}`).sort(),
    );
  });
});

describe('a sender', () => {
  it('sends an event within a second, and ends an attempt without a response after 15 s', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    scene.behaviors = ['hangs'];
    const sender = scene.open();
    sender.start();
    await expect.poll(() => scene.timer.size).toBe(1);
    await scene.finish('a');
    scene.timer.pass(SECOND_MS);
    await expect.poll(() => scene.timer.size).toBe(2);
    expect(scene.got).toHaveLength(1);
    scene.timer.pass(15 * SECOND_MS);
    await expect.poll(() => scene.deliveryOf('a')).toMatchObject({ state: 'due', attempts: 1, status: null });
    await sender.close();
    expect(scene.timer.size).toBe(0);
  });

  it('does not count the attempts that its end aborts', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.finish('a');
    scene.behaviors = ['hangs', 200];
    const sender = scene.open();
    sender.start();
    await expect.poll(() => scene.got.length).toBe(1);
    await sender.close();
    expect(scene.timer.size).toBe(0);
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'due', attempts: 0 });
    scene.timer.pass(20 * SECOND_MS);
    await scene.open().sendDue();
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('sends the events of a merchant while a thousand of another merchant wait for a hanging receiver', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.addMerchant('slow');
    const order = { merchant: 'slow', orderId: 'order', refundId: null };
    await scene.orders.create(orderOf('order', { owner: 'slow' }));
    for (let at = 0; at < 1_000; at += 1)
      await scene.finish(`slow ${at}`, { state: 'settled', order, identifier: null });
    await scene.finish('a');
    scene.behaviors = ['hangs'];
    const sender = scene.open();
    sender.start();
    await expect.poll(() => scene.got.length).toBe(64);
    for (let pass = 0; pass < 3; pass += 1) {
      await expect.poll(() => scene.timer.size).toBeGreaterThan(64);
      scene.timer.pass(SECOND_MS);
      await expect.poll(() => scene.timer.size).toBeGreaterThan(64);
    }
    await expect.poll(() => scene.got.map(({ headers }) => headers['webhook-id'])).toContain('evt_a');
    await sender.close();
  });

  it('reports once that the store cannot be read, and continues when it can', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.finish('a');
    const sender = scene.open();
    const { change } = scene.tables;
    scene.tables.change = () => Promise.reject(new Error('disk full'));
    await sender.sendDue();
    await sender.sendDue();
    expect(scene.lines).toHaveLength(1);
    scene.tables.change = change;
    await sender.sendDue();
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'delivered' });
  });

  it('sends an event again if its delivery could not be stored', async () => {
    const scene = new Scene();
    await scene.addMerchant();
    await scene.finish('a');
    const sender = scene.open();
    const { change } = scene.tables;
    let changes = 0;
    scene.tables.change = async <T>(run: () => T): Promise<T> => {
      changes += 1;
      if (changes === 2) throw new Error('disk full');
      return await (change.call(scene.tables, run) as Promise<T>);
    };
    await sender.sendDue();
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'due', attempts: 0 });
    scene.timer.pass(20 * SECOND_MS);
    await sender.sendDue();
    expect(scene.got.map(({ headers }) => headers['webhook-id'])).toEqual(['evt_a', 'evt_a']);
    expect(await scene.deliveryOf('a')).toMatchObject({ state: 'delivered' });
  });
});

/** Serves one receiver, and returns its origin. */
async function receive(listener: RequestListener, tls?: { key: string; cert: string }): Promise<string> {
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
}

/** Sends one event to a receiver, and returns its delivery. */
async function sendTo(scene: Scene, origin: string, while_?: () => Promise<void>): Promise<unknown> {
  scene.origins = [origin];
  await scene.addMerchant('merchant', { webhookUrl: `${origin}/hooks` });
  await scene.finish('a');
  const sent = scene.open(globalThis.fetch).sendDue();
  await while_?.();
  await sent;
  return await scene.deliveryOf('a');
}

describe('a receiver', () => {
  it('gets the signed bytes', async () => {
    const scene = new Scene();
    const got: Pick<Got, 'headers' | 'body'>[] = [];
    const origin = await receive((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = request.headers as Record<string, string>;
        got.push({ headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(202).end();
      });
    });
    expect(await sendTo(scene, origin)).toMatchObject({ state: 'delivered', status: 202 });
    const secret = scene.merchants.webhookSecretOf(merchantOf('merchant'));
    expect(got.map((each) => verify(each, secret, START_MS))).toEqual([true]);
  });

  it('is not followed if it redirects', async () => {
    const paths: unknown[] = [];
    const origin = await receive(({ url }, response) => {
      paths.push(url);
      response.writeHead(307, { location: '/other' }).end();
    });
    expect(await sendTo(new Scene(), origin)).toMatchObject({ state: 'due', status: 307 });
    expect(paths).toEqual(['/hooks']);
  });

  it('is cut off if it answers with an endless body', async () => {
    let isCutOff = false;
    const origin = await receive((_, response) => {
      response.on('close', () => (isCutOff = true));
      const write = (): void => {
        if (!isCutOff && response.write('x'.repeat(65_536))) setImmediate(write);
        else response.once('drain', write);
      };
      write();
    });
    expect(await sendTo(new Scene(), origin)).toMatchObject({ state: 'delivered', status: 200 });
    await expect.poll(() => isCutOff).toBe(true);
  });

  it('is cut off after 15 s if it never answers', async () => {
    const scene = new Scene();
    let isWaiting = false;
    const origin = await receive(() => void (isWaiting = true));
    const delivery = await sendTo(scene, origin, async () => {
      await expect.poll(() => isWaiting).toBe(true);
      scene.timer.pass(15 * SECOND_MS);
    });
    expect(delivery).toMatchObject({ state: 'due', attempts: 1, status: null });
  });

  it.skipIf(missingPrograms('openssl'))(
    'gets nothing if no authority has signed its certificate',
    async () => {
      const folder = temporaryFolder();
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
      const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-days',
          '2',
          '-keyout',
          key,
          '-out',
          cert,
          ...subject,
        ],
        { stdio: 'ignore' },
      );
      let requests = 0;
      const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
      const origin = await receive((_, response) => {
        requests += 1;
        response.end();
      }, tls);
      expect(await sendTo(new Scene(), origin)).toMatchObject({ state: 'due', attempts: 1, status: null });
      expect(requests).toBe(0);
    },
  );

  it('is tried again if it is not reachable', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`;
    expect(await sendTo(new Scene(), origin)).toMatchObject({ state: 'due', status: null });
  });
});
