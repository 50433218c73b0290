import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canonicalize } from '../service/input/canonicalize.ts';
import { signBuilt } from '../rollup/testing/payment-scene.ts';
import {
  bearer,
  CheckoutScene,
  type Credentials,
  type Members,
  type NewOrder,
} from './testing/checkout-scene.ts';

interface Challenge extends Members {
  readonly request: string;
}

interface Credential extends Members {
  readonly challenge: Challenge;
  readonly payload: { readonly paymentId: string; readonly transaction: string };
}

let scene: CheckoutScene;
let merchant: Credentials;
beforeAll(async () => {
  scene = await CheckoutScene.open();
  merchant = await scene.register();
});
afterAll(() => scene.close());

const encode = (value: unknown): string => Buffer.from(canonicalize(value)).toString('base64url');
const decode = (text: unknown): Members =>
  JSON.parse(Buffer.from(String(text), 'base64url').toString()) as Members;

const detailsOf = ({ request }: Challenge): Members => decode(request)['methodDetails'] as Members;

const pay = ({ payment, accessToken }: NewOrder, headers: Credentials = {}) =>
  scene.post(`/v1/mpp/payments/${payment.id}/pay`, undefined, { ...bearer(accessToken), ...headers });

const headerOf = (credential: object) => ({ 'payment-authorization': `Payment ${encode(credential)}` });

/** Reads the parameters of a challenge (RFC 9110 section 11.2). */
function parse(header: unknown): Challenge {
  const text = String(header);
  expect(text).toMatch(/^Payment (\w+="[^"\\]*"(, |$))+$/);
  const parameters = [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  return Object.fromEntries(parameters) as Challenge;
}

/** Pays like a client: reads the header of the 402, signs the transaction, and builds the credential. */
async function sign(order: NewOrder): Promise<Credential> {
  const answer = await pay(order);
  expect(answer.status).toBe(402);
  const challenge = parse(answer.headers['www-authenticate']);
  const transaction = signBuilt(scene.payer, String(detailsOf(challenge)['transaction']));
  return { challenge, payload: { paymentId: order.payment.id, transaction } };
}

describe('the payment of an order by MPP', () => {
  it('offers the terms of the order in a challenge', async () => {
    const requestHash = 'ab'.repeat(32);
    const order = await scene.order(merchant, { description: 'Tea ☕ "hot"', requestHash });
    const answer = await pay(order);
    expect(answer.status).toBe(402);
    const challenge = parse(answer.headers['www-authenticate']);
    expect(answer.body).toEqual({ paymentId: order.payment.id, challenge });
    expect(challenge).toEqual({
      id: order.payment.id,
      realm: 'pay.example.com',
      method: 'magicblock',
      intent: 'charge',
      request: expect.any(String),
      expires: order.payment['expiresAt'],
      header: 'Payment-Authorization',
      digest: `sha-256=:${Buffer.alloc(32, 0xab).toString('base64')}:`,
    });
    expect(challenge.request).toBe(encode(decode(challenge.request)));
    expect(decode(challenge.request)).toEqual({
      amount: '10000',
      currency: order.payment['mint'],
      recipient: scene.merchant.address,
      externalId: order.payment['externalReference'],
      description: 'Tea ☕ "hot"',
      methodDetails: {
        paymentId: order.payment.id,
        merchantId: scene.merchant.address,
        payer: scene.payer.address,
        cluster: 'localnet-private',
        validator: expect.any(String),
        settlement: 'ephemeral-rollup',
        resource: order.payment['resource'],
        requestHash,
        transaction: expect.any(String),
        recentBlockhash: expect.any(String),
        lastValidBlockHeight: expect.any(Number),
        network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      },
    });
  });

  it('moves the amount privately and only once, and returns a receipt', async () => {
    const [had, hadBefore] = [await scene.balance(scene.merchant), await scene.balance(scene.payer)];
    const order = await scene.order(merchant);
    const credential = { ...(await sign(order)), source: `did:pkh:solana:${scene.payer.address}` };
    const paid = await pay(order, headerOf(credential));
    expect(paid).toMatchObject({ status: 200, body: { status: 'paid' } });
    expect(decode(paid.headers['payment-receipt'])).toEqual({
      status: 'success',
      method: 'magicblock',
      timestamp: paid.body['confirmedAt'],
      reference: paid.body['signature'],
      paymentId: order.payment.id,
      settlement: 'ephemeral-rollup',
    });
    scene.aheadMs += 4_000_000;
    const again = await pay(order, headerOf(credential));
    expect([again.status, again.headers['payment-receipt']]).toEqual([200, paid.headers['payment-receipt']]);
    const read = await pay(order);
    expect([read.status, read.body['status'], read.headers['www-authenticate']]).toEqual([
      200,
      'paid',
      undefined,
    ]);
    expect(await scene.balance(scene.merchant)).toBe(had + 10_000n);
    expect(await scene.balance(scene.payer)).toBe(hadBefore - 10_000n);
  });

  it('accepts an earlier challenge, because only the transaction has changed', async () => {
    const order = await scene.order(merchant);
    const first = await sign(order);
    scene.payments.pass(200);
    const second = await sign(order);
    expect(second.challenge.request).not.toBe(first.challenge.request);
    expect((await pay(order, headerOf(first))).status).toBe(200);
    expect(await pay(order, headerOf(second))).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_TRANSACTION_CONFLICT' },
    });
  });

  it('returns no receipt if the order is not paid', async () => {
    const order = await scene.order(merchant, { expiresInSeconds: 60 });
    const credential = await sign(order);
    scene.aheadMs += 60_000;
    for (const answer of [await pay(order, headerOf(credential)), await pay(order)]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'PAYMENT_EXPIRED' } });
      expect(answer.headers['payment-receipt']).toBeUndefined();
    }
  });
});

describe('a credential', () => {
  let order: NewOrder;
  let other: NewOrder;
  let credential: Credential;
  beforeAll(async () => {
    order = await scene.order(merchant, { description: 'Tea', requestHash: 'ab'.repeat(32) });
    other = await scene.order(merchant);
  });
  beforeEach(async () => {
    credential = await sign(order);
  });

  const refused = async (headers: Credentials): Promise<string> => {
    const answer = await pay(order, headers);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_PAYMENT_CREDENTIAL' } });
    expect((await scene.get(`/v1/payments/${order.payment.id}`, merchant)).body['status']).toBe('created');
    return String(answer.body['detail']);
  };

  it('is rejected if any member of the challenge is altered, added or missing', async () => {
    const { challenge } = credential;
    const request = decode(challenge.request);
    const details = detailsOf(challenge);
    const hints = new Set(['validator', 'transaction', 'recentBlockhash', 'lastValidBlockHeight']);
    const altered: [string, Members][] = [['challenge.more', { ...challenge, more: '1' }]];
    const write = (content: Members) =>
      Buffer.from(JSON.stringify({ ...request, ...content })).toString('base64url');
    for (const value of ['x', undefined]) {
      for (const name of Object.keys(challenge)) {
        if (name !== 'request') altered.push([`challenge.${name}`, { ...challenge, [name]: value }]);
      }
      for (const name of Object.keys(request)) {
        altered.push([`challenge.request.${name}`, { ...challenge, request: write({ [name]: value }) }]);
      }
      for (const name of Object.keys(details).filter((each) => !hints.has(each))) {
        const content = write({ methodDetails: { ...details, [name]: value } });
        altered.push([`challenge.request.methodDetails.${name}`, { ...challenge, request: content }]);
      }
    }
    expect(altered.length).toBe(43);
    for (const [place, content] of altered) {
      const text = Buffer.from(JSON.stringify({ ...credential, challenge: content })).toString('base64url');
      const why = await refused({ 'payment-authorization': `Payment ${text}` });
      expect(why).toContain(`${place} differs from the terms of the order`);
    }
  });

  it('is rejected for a different order, even with the transaction of that order', async () => {
    const foreign = await sign(other);
    expect(await refused(headerOf(foreign))).toContain('challenge.');
    const { transaction } = credential.payload;
    const mixed = { ...credential, payload: { paymentId: other.payment.id, transaction } };
    expect(await refused(headerOf(mixed))).toContain('payload.paymentId');
    const swapped = {
      ...credential,
      payload: { ...credential.payload, transaction: foreign.payload.transaction },
    };
    expect(await pay(order, headerOf(swapped))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PAYMENT_TRANSACTION' },
    });
  });

  it.each([
    ['is empty', () => '', 'must be "Payment" and one base64url text'],
    ['has a different scheme', () => `Bearer ${encode(credential)}`, 'must be "Payment"'],
    ['is base64', () => `Payment ${encode(credential)}==`, 'is not canonical base64url'],
    ['is not JSON', () => `Payment ${Buffer.from('{').toString('base64url')}`, 'of one JSON text'],
    ['is too long', () => `Payment ${'A'.repeat(16_388)}`, 'must have at most 16384 characters'],
    ['has an unknown member', () => `Payment ${encode({ ...credential, note: 1 })}`, '"note"'],
    ['has no challenge', () => `Payment ${encode({ payload: credential.payload })}`, 'challenge:'],
    ['has no transaction', () => `Payment ${encode({ ...credential, payload: {} })}`, 'payload.transaction'],
    [
      'has a request that is not base64url',
      () => `Payment ${encode({ ...credential, challenge: { ...credential.challenge, request: '?' } })}`,
      'challenge.request is not canonical base64url',
    ],
  ])('is rejected if it %s', async (_, write, why) => {
    expect(await refused({ 'payment-authorization': write() })).toContain(why);
  });

  it('is rejected with a payment of the other protocol, or in the header for the token', async () => {
    const foreign = { 'payment-signature': 'e30=' };
    expect(await refused(foreign)).toContain('PAYMENT-SIGNATURE belongs to the other protocol');
    expect(await refused({ ...headerOf(credential), ...foreign })).toContain(
      'send only Payment-Authorization',
    );
    const header = headerOf(credential)['payment-authorization'];
    expect(await refused({ authorization: header })).toContain('send the payment in Payment-Authorization');
  });

  it('needs the token of the order', async () => {
    const answer = await pay(order, { ...headerOf(credential), ...bearer(other.accessToken) });
    expect(answer.status).toBe(401);
  });
});
