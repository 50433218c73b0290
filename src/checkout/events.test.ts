import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { systemTimer } from '../ports/timer.ts';
import { signBuilt } from '../rollup/testing/payment-scene.ts';
import { paymentOf } from '../settlement/testing/payments.ts';
import {
  bearer,
  CheckoutScene,
  type Credentials,
  type Members,
  type NewOrder,
} from './testing/checkout-scene.ts';
import { WebhookSender } from './webhooks.ts';

/** A webhook as its receiver gets it. */
interface Got {
  readonly id: string;
  readonly body: Members;
}

let scene: CheckoutScene;
let merchant: Credentials;
let sender: WebhookSender;
const got: Got[] = [];
/** Status of the receiver's responses. */
let status = 200;
beforeAll(async () => {
  scene = await CheckoutScene.open();
  merchant = await scene.register();
  await scene.post('/v1/merchants/webhook', { url: 'https://shop.example.com/hooks' }, merchant);
  sender = new WebhookSender({
    payments: scene.store,
    checkout: scene.checkout,
    merchants: scene.merchants,
    fetch: async (_, { headers, body } = {}) => {
      const id = (headers as Record<string, string>)['webhook-id'] as string;
      got.push({ id, body: JSON.parse(String(body)) as Members });
      return new Response(null, { status });
    },
    clock: scene.clock,
    timer: systemTimer,
    random: systemRandom,
    logger: silentLogger,
  });
});
afterAll(() => scene.close());

async function pay(): Promise<NewOrder> {
  const order = await scene.order(merchant);
  await scene.settle(order, await scene.sign(order));
  return order;
}

const eventsOf = async ({ payment }: NewOrder): Promise<unknown> =>
  (await scene.get(`/v1/payments/${payment.id}/events`, merchant)).body['data'];

describe('the events of an order', () => {
  it('do not exist before it is paid', async () => {
    expect(await eventsOf(await scene.order(merchant))).toEqual([]);
  });

  it('show the order and its refunds in the format of the API, and are listed with their delivery', async () => {
    const order = await pay();
    const path = `/v1/payments/${order.payment.id}`;
    const { body: built } = await scene.post(`${path}/refunds`, { reference: 'r', amount: '4000' }, merchant);
    const refundId = String((built['refund'] as Members)['id']);
    await scene.post(
      `${path}/refunds/${refundId}/settle`,
      { transactionBase64: signBuilt(scene.merchant, String(built['transactionBase64'])) },
      merchant,
    );
    const before = (await eventsOf(order)) as Members[];
    const due = { state: 'due', attempts: 0, status: null, attemptedAt: null };
    expect(before).toMatchObject([
      { type: 'payment.paid', delivery: due },
      { type: 'refund.paid', delivery: due },
    ]);
    got.length = 0;
    await sender.sendDue();
    const { refunds, ...payment } = (await scene.get(path, merchant)).body;
    const [refund] = refunds as Members[];
    const [paid, refunded] = before as [Members, Members];
    const events = [
      { id: paid['id'], body: { type: 'payment.paid', timestamp: paid['createdAt'], data: { payment } } },
      {
        id: refunded['id'],
        body: { type: 'refund.paid', timestamp: refunded['createdAt'], data: { payment, refund } },
      },
    ];
    expect(got).toHaveLength(2);
    expect(got).toEqual(expect.arrayContaining(events));
    const delivered = { state: 'delivered', attempts: 1, status: 200, attemptedAt: expect.any(String) };
    expect(await eventsOf(order)).toEqual(before.map((event) => ({ ...event, delivery: delivered })));
  });

  it('are sent again with the same id and body if the merchant requests it', async () => {
    const order = await pay();
    status = 410;
    got.length = 0;
    await sender.sendDue();
    status = 200;
    const [event] = (await eventsOf(order)) as [Members];
    expect(event).toMatchObject({ delivery: { state: 'abandoned', attempts: 1, status: 410 } });
    const path = `/v1/payments/${order.payment.id}/events/${String(event['id'])}/resend`;
    expect(await scene.post(path, undefined, merchant)).toMatchObject({
      status: 200,
      body: { id: event['id'], delivery: { state: 'due', attempts: 0 } },
    });
    await sender.sendDue();
    expect(await eventsOf(order)).toMatchObject([{ delivery: { state: 'delivered', attempts: 1 } }]);
    expect(got).toHaveLength(2);
    expect(got[1]).toEqual(got[0]);
  });

  it('are visible only to the merchant, and only under their own order', async () => {
    const [order, other] = [await pay(), await pay()];
    const [event] = (await eventsOf(order)) as [Members];
    const path = `/v1/payments/${order.payment.id}/events`;
    const token = bearer(order.accessToken);
    expect((await scene.get(path, token)).status).toBe(401);
    expect((await scene.post(`${path}/${String(event['id'])}/resend`, {}, token)).status).toBe(401);
    const link = { merchant: scene.merchant.address, orderId: order.payment.id, refundId: null };
    await scene.store.create(paymentOf('pending', { order: link }), 60_000);
    for (const place of [
      `/v1/payments/${other.payment.id}/events/${String(event['id'])}`,
      `${path}/evt_order:${order.payment.id}`,
      `${path}/${String(event['id']).slice('evt_'.length)}`,
      `${path}/evt_`,
      `${path}/evt_pending`,
    ]) {
      expect(await scene.post(`${place}/resend`, {}, merchant), place).toMatchObject({
        status: 404,
        body: { code: 'EVENT_NOT_FOUND' },
      });
    }
  });
});
