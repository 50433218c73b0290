import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MapChain } from '../../test/ports/map-chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { canonicalize } from '../service/input/canonicalize.ts';
import { signBuilt } from '../rollup/testing/payment-scene.ts';
import { networkOf } from './protocol-terms.ts';
import {
  bearer,
  CheckoutScene,
  type Credentials,
  type Members,
  type NewOrder,
} from './testing/checkout-scene.ts';

const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

interface Requirement extends Members {
  readonly amount: string;
  readonly extra: Members & { readonly transaction: string };
}

interface Payload extends Members {
  readonly accepted: Requirement;
  readonly resource: Members;
  readonly payload: { readonly paymentId: string; readonly transaction: string };
}

let scene: CheckoutScene;
let merchant: Credentials;
beforeAll(async () => {
  scene = await CheckoutScene.open();
  merchant = await scene.register();
});
afterAll(() => scene.close());

const encode = (value: unknown): string => Buffer.from(canonicalize(value)).toString('base64');
const decode = (text: unknown): Members =>
  JSON.parse(Buffer.from(String(text), 'base64').toString()) as Members;

const pay = ({ payment, accessToken }: NewOrder, headers: Credentials = {}) =>
  scene.post(`/v1/x402/payments/${payment.id}/pay`, undefined, { ...bearer(accessToken), ...headers });

const send = (order: NewOrder, payload: object) => pay(order, { 'payment-signature': encode(payload) });

/** Pays like a client: reads the header of the 402, signs the transaction, and builds the payload. */
async function sign(order: NewOrder): Promise<Payload> {
  const answer = await pay(order);
  expect(answer.status).toBe(402);
  const required = decode(answer.headers['payment-required']);
  const [accepted] = required['accepts'] as [Requirement];
  return {
    x402Version: required['x402Version'],
    resource: required['resource'] as Members,
    accepted,
    payload: {
      paymentId: order.payment.id,
      transaction: signBuilt(scene.payer, accepted.extra.transaction),
    },
  };
}

const statusOf = async ({ payment }: NewOrder): Promise<unknown> =>
  (await scene.get(`/v1/payments/${payment.id}`, merchant)).body['status'];

describe('the payment of an order by x402', () => {
  it('offers the terms of the order in canonical JSON', async () => {
    const requestHash = 'ab'.repeat(32);
    const resource = 'https://shop.example.com/tea';
    const order = await scene.order(merchant, { description: 'Tea ☕', resource, requestHash });
    const answer = await pay(order);
    expect(answer.status).toBe(402);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['payment-required']).toBe(encode(answer.body));
    expect(answer.body).toEqual({
      x402Version: 2,
      resource: { url: resource, description: 'Tea ☕', mimeType: 'application/json' },
      accepts: [
        {
          scheme: 'exact-magicblock',
          network: MAINNET,
          amount: '10000',
          asset: order.payment['mint'],
          payTo: scene.merchant.address,
          maxTimeoutSeconds: 60,
          extra: {
            paymentId: order.payment.id,
            merchantId: scene.merchant.address,
            payer: scene.payer.address,
            cluster: 'localnet-private',
            validator: expect.any(String),
            settlement: 'ephemeral-rollup',
            resource,
            requestHash,
            transaction: expect.any(String),
            recentBlockhash: expect.any(String),
            lastValidBlockHeight: expect.any(Number),
            expiresAt: order.payment['expiresAt'],
            assetTransferMethod: 'delegated-spl',
            paymentFlow: 'upfront',
          },
        },
      ],
    });
  });

  it('moves the amount privately and only once, and returns the outcome', async () => {
    const [had, hadBefore] = [await scene.balance(scene.merchant), await scene.balance(scene.payer)];
    const order = await scene.order(merchant);
    const payload = await sign(order);
    const paid = await send(order, payload);
    expect(paid).toMatchObject({ status: 200, body: { status: 'paid' } });
    expect(decode(paid.headers['payment-response'])).toEqual({
      success: true,
      transaction: paid.body['signature'],
      network: MAINNET,
      payer: scene.payer.address,
      amount: '10000',
      extensions: {
        magicblock: {
          info: { paymentId: order.payment.id, settlement: 'ephemeral-rollup' },
          schema: expect.objectContaining({ required: ['paymentId', 'settlement'] }),
        },
      },
    });
    scene.aheadMs += 4_000_000;
    const again = await send(order, payload);
    expect([again.status, again.headers['payment-response']]).toEqual([
      200,
      paid.headers['payment-response'],
    ]);
    expect(await pay(order)).toMatchObject({ status: 200, body: { status: 'paid' } });
    expect(await scene.balance(scene.merchant)).toBe(had + 10_000n);
    expect(await scene.balance(scene.payer)).toBe(hadBefore - 10_000n);
  });

  it('accepts the terms of an earlier response, because only the transaction has changed', async () => {
    const order = await scene.order(merchant);
    const first = await sign(order);
    scene.payments.pass(200);
    const second = await sign(order);
    expect(second.accepted.extra.transaction).not.toBe(first.accepted.extra.transaction);
    expect((await send(order, first)).status).toBe(200);
    expect(await send(order, second)).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_TRANSACTION_CONFLICT' },
    });
  });

  it('responds with 202 while the outcome is not known', async () => {
    const order = await scene.order(merchant);
    const payload = await sign(order);
    const { ledger } = scene;
    scene.ledger = {
      ...ledger,
      hidesStatuses: false,
      sendTransaction: async () => '',
      signatureStatus: async () => null,
      blockHeight: () => ledger.blockHeight(),
    };
    const waiting = send(order, payload);
    await expect.poll(() => statusOf(order)).toBe('pending');
    scene.aheadMs += 11_000;
    const pending = await waiting;
    expect(pending).toMatchObject({ status: 202, body: { status: 'pending' } });
    expect(decode(pending.headers['payment-response'])).toMatchObject({
      success: false,
      errorReason: 'settlement_pending',
      transaction: pending.body['signature'],
    });
    expect(await pay(order)).toMatchObject({ status: 202, body: { status: 'pending' } });
    scene.ledger = ledger;
    await ledger.sendTransaction(Buffer.from(payload.payload.transaction, 'base64'));
    expect((await send(order, payload)).status).toBe(200);
  });

  it('is rejected after the order has expired', async () => {
    const order = await scene.order(merchant, { expiresInSeconds: 60 });
    const payload = await sign(order);
    scene.aheadMs += 60_000;
    for (const answer of [await send(order, payload), await pay(order)]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'PAYMENT_EXPIRED' } });
    }
  });
});

describe('a payload', () => {
  let order: NewOrder;
  let other: NewOrder;
  let payload: Payload;
  beforeAll(async () => {
    order = await scene.order(merchant, { description: 'Tea', requestHash: 'ab'.repeat(32) });
    other = await scene.order(merchant);
  });
  beforeEach(async () => {
    payload = await sign(order);
  });

  const refused = async (headers: Credentials): Promise<string> => {
    const answer = await pay(order, headers);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_PAYMENT_CREDENTIAL' } });
    expect(await statusOf(order)).toBe('created');
    return String(answer.body['detail']);
  };

  it('is rejected if any member of the terms is altered, added or missing', async () => {
    const { accepted, resource } = payload;
    const hints = new Set(['validator', 'transaction', 'recentBlockhash', 'lastValidBlockHeight']);
    const altered: [string, object][] = [];
    for (const value of ['x', undefined]) {
      for (const name of Object.keys(accepted)) {
        altered.push([`accepted.${name} `, { ...payload, accepted: { ...accepted, [name]: value } }]);
      }
      for (const name of Object.keys(accepted.extra).filter((each) => !hints.has(each))) {
        const extra = { ...accepted.extra, [name]: value };
        altered.push([`accepted.extra.${name} `, { ...payload, accepted: { ...accepted, extra } }]);
      }
      for (const name of Object.keys(resource)) {
        altered.push([`resource.${name} `, { ...payload, resource: { ...resource, [name]: value } }]);
      }
    }
    altered.push(['accepted.more ', { ...payload, accepted: { ...accepted, more: 1 } }]);
    expect(altered.length).toBe(41);
    for (const [place, content] of altered) {
      const text = Buffer.from(JSON.stringify(content)).toString('base64');
      expect(await refused({ 'payment-signature': text })).toContain(
        `${place}differs from the terms of the order`,
      );
    }
  });

  it('is rejected for a different order, even with the transaction of that order', async () => {
    const foreign = await sign(other);
    expect(await refused({ 'payment-signature': encode(foreign) })).toContain('accepted.');
    const { transaction } = payload.payload;
    const mixed = { ...payload, payload: { paymentId: other.payment.id, transaction } };
    expect(await refused({ 'payment-signature': encode(mixed) })).toContain('payload.paymentId');
    const swapped = { ...payload, payload: { ...payload.payload, transaction: foreign.payload.transaction } };
    expect(await send(order, swapped)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PAYMENT_TRANSACTION' },
    });
  });

  it.each([
    ['is empty', () => '', 'must be base64 of one JSON text'],
    ['is not base64', () => 'x?', 'is not canonical base64'],
    ['has base64 with set padding bits', () => 'MR==', 'is not canonical base64'],
    ['is base64url', () => Buffer.from('"ÿÿ>"').toString('base64url'), 'is not canonical base64'],
    ['is not JSON', () => Buffer.from('{').toString('base64'), 'must be base64 of one JSON text'],
    ['repeats a member', () => Buffer.from('{"a":1,"a":2}').toString('base64'), 'without repeated members'],
    ['is too long', () => 'A'.repeat(16_388), 'must have at most 16384 characters'],
    ['has a different version', () => encode({ ...payload, x402Version: 1 }), 'x402Version: must be 2'],
    ['has an unknown member', () => encode({ ...payload, note: 1 }), '"note"'],
    ['has no transaction', () => encode({ ...payload, payload: { paymentId: 'x' } }), 'payload.transaction'],
  ])('is rejected if it %s', async (_, write, why) => {
    expect(await refused({ 'payment-signature': write() })).toContain(why);
  });

  it('is rejected with a payment of the other protocol, or in its header', async () => {
    const signature = { 'payment-signature': encode(payload) };
    const foreign = { 'payment-authorization': 'Payment e30' };
    expect(await refused(foreign)).toContain('Payment-Authorization belongs to the other protocol');
    expect(await refused({ ...signature, ...foreign })).toContain('send only PAYMENT-SIGNATURE');
    expect(await refused({ authorization: 'Payment e30' })).toContain(
      'send the payment in PAYMENT-SIGNATURE',
    );
  });

  it('needs the token of the order', async () => {
    const headers = { ...bearer(other.accessToken), 'payment-signature': encode(payload) };
    expect((await pay(order, headers)).status).toBe(401);
  });
});

describe('the facilitator for merchants', () => {
  const ask = (call: 'settle' | 'verify', payload: Payload, members: Members = {}, caller = merchant) =>
    scene.post(
      `/v1/x402/${call}`,
      { x402Version: 2, paymentPayload: payload, paymentRequirements: payload.accepted, ...members },
      caller,
    );

  it('lists each cluster, private and public', async () => {
    const answer = await scene.get('/v1/x402/supported');
    const kind = (cluster: string) => ({
      x402Version: 2,
      scheme: 'exact-magicblock',
      network: MAINNET,
      extra: { cluster, settlement: 'ephemeral-rollup', paymentFlow: 'upfront' },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      kinds: [kind('localnet-private'), kind('localnet')],
      extensions: ['magicblock'],
      signers: {},
    });
  });

  it.each([
    ['mainnet', MAINNET],
    ['localnet', MAINNET],
    ['devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
  ] as const)('names the network of %s %s', (network, id) => {
    const chain = Object.assign(new MapChain(), { cluster: 'custom', network });
    expect(networkOf(new Clusters([chain]), 'custom-private')).toBe(id);
  });

  it('verifies a payment without storing or sending it, and then settles it', async () => {
    const had = await scene.balance(scene.merchant);
    const order = await scene.order(merchant);
    const payload = await sign(order);
    const valid = { status: 200, body: { isValid: true, payer: scene.payer.address } };
    expect(await ask('verify', payload)).toMatchObject(valid);
    expect(await ask('verify', payload, { paymentPayload: encode(payload) })).toMatchObject(valid);
    expect(await statusOf(order)).toBe('created');
    expect(await scene.store.get(`order:${order.payment.id}`)).toBeUndefined();
    expect(await scene.balance(scene.merchant)).toBe(had);
    const settled = await ask('settle', payload);
    expect(settled).toMatchObject({
      status: 200,
      body: { success: true, amount: '10000', network: MAINNET },
    });
    expect((await ask('settle', payload)).body).toEqual(settled.body);
    expect(await ask('verify', payload)).toMatchObject(valid);
    expect(await scene.balance(scene.merchant)).toBe(had + 10_000n);
  });

  it('returns the reason if a payment is not valid', async () => {
    const order = await scene.order(merchant, { expiresInSeconds: 60 });
    const poor = await scene.order(merchant, { amount: '900000000' });
    const payload = await sign(order);
    const broken = { ...payload.payload, transaction: payload.accepted.extra.transaction };
    const accepted = { ...payload.accepted, amount: '1' };
    const reasonOf = async (content: Payload, members: Members = {}) => {
      const { status, body } = await ask('verify', content, members);
      expect([status, body['isValid'], body['payer']]).toEqual([200, false, scene.payer.address]);
      expect(body['invalidMessage']).toEqual(expect.any(String));
      return body['invalidReason'];
    };
    expect(await reasonOf({ ...payload, accepted })).toBe('INVALID_PAYMENT_CREDENTIAL');
    expect(await reasonOf(payload, { paymentRequirements: accepted })).toBe('INVALID_PAYMENT_CREDENTIAL');
    expect(await reasonOf({ ...payload, payload: broken })).toBe('INVALID_PAYMENT_TRANSACTION');
    expect(await reasonOf(await sign(poor))).toBe('TRANSACTION_FAILED');
    scene.payments.pass(200);
    const later = await sign(order);
    scene.aheadMs += 60_000;
    expect(await reasonOf(payload)).toBe('PAYMENT_EXPIRED');
    scene.aheadMs -= 60_000;
    expect((await ask('settle', payload)).body).toMatchObject({ success: true });
    expect(await reasonOf(later)).toBe('PAYMENT_TRANSACTION_CONFLICT');
    expect(await ask('settle', later)).toMatchObject({ status: 409 });
  });

  it('serves only the merchant of the order, and rejects malformed requests', async () => {
    const payload = await sign(await scene.order(merchant));
    const stranger = await scene.register(await scene.payments.wallet());
    for (const call of ['verify', 'settle'] as const) {
      expect(await ask(call, payload, {}, stranger)).toMatchObject({
        status: 401,
        body: { code: 'PAYMENT_UNAUTHORIZED' },
      });
      expect((await ask(call, payload, {}, {})).status).toBe(401);
      expect(await ask(call, payload, { paymentPayload: {} })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_PAYMENT_CREDENTIAL' },
      });
      expect(await ask(call, payload, { x402Version: 1 })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST' },
      });
    }
  });
});
