import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCheckoutPaths } from './openapi-paths.ts';
import { CHECKOUT_CALLS } from './routes.ts';
import { CheckoutScene } from './testing/checkout-scene.ts';

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await CheckoutScene.open();
});
afterAll(() => scene.close());

type Operations = Record<string, Record<string, { operationId: string; security: object[] }>>;

it('describe every call of the merchant API once', () => {
  const operations = Object.values(createCheckoutPaths() as Operations).flatMap((item) =>
    Object.values(item),
  );
  expect(operations).toHaveLength(CHECKOUT_CALLS.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

it('are in the document of the service, and a call that needs credentials is rejected without them', async () => {
  const { body } = await scene.get('/openapi.json');
  const paths = body['paths'] as Operations;
  expect(body).toMatchObject({ components: { securitySchemes: { merchantKey: { scheme: 'bearer' } } } });
  for (const [path, item] of Object.entries(createCheckoutPaths() as Operations)) {
    expect(paths[path]).toEqual(item);
    const place = path.replaceAll(/\{\w+\}/g, '0'.repeat(64));
    for (const [method, { security }] of Object.entries(item)) {
      const answer = method === 'get' ? await scene.get(place) : await scene.post(place, minimal(path));
      if (security.length > 0) expect(answer.status, `${method} ${path}`).toBe(401);
    }
  }
});

it('are on the reference page with their headers, fields, states and responses', async () => {
  const { text } = await scene.get('/reference');
  const sectionOf = (name: string): string =>
    text.split(`<section id="${name}">`)[1]?.split('</section>')[0] ?? '';
  for (const { operationId } of Object.values(createCheckoutPaths() as Operations).flatMap(Object.values)) {
    expect(text).toContain(`<a href="#${operationId}">`);
    expect(sectionOf(operationId)).toContain('<h4>Responses</h4>');
  }
  expect(text).toContain('<h2>Merchants</h2>');
  expect(sectionOf('challengeMerchant')).toContain('<code>purpose</code><td><i>&#34;register&#34; or');
  expect(sectionOf('createOrder')).toContain('<code>X-Merchant-Id</code><td><i>string</i>');
  expect(sectionOf('createOrder')).toContain(
    '<code>expiresInSeconds</code><td><i>integer, optional, default 3600',
  );
  expect(sectionOf('getOrder')).toContain('<code>X-Merchant-Id</code><td><i>string, optional</i>');
  expect(sectionOf('exportReceipts')).toMatch(/<code>from<.*<code>to</s);
  expect(sectionOf('usePaymentLink')).toContain('<code>Idempotency-Key</code>');
  expect(sectionOf('settleOrder')).toContain('<code>202</code><td><i><a href="#Order">Order</a></i>');
  expect(sectionOf('Order')).toContain('&#34;created&#34; or &#34;pending&#34; or');
  for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(text).toContain(`id="${target}"`);
});

/** Returns a body that is valid, so that only the credentials are missing. */
function minimal(path: string): object {
  if (/x402\/(verify|settle)$/.test(path)) {
    const payload = { paymentId: '0', transaction: '' };
    const paymentPayload = { x402Version: 2, resource: {}, accepted: {}, payload };
    return { x402Version: 2, paymentPayload, paymentRequirements: {} };
  }
  if (path.endsWith('/settle')) return { transactionBase64: '' };
  if (path.endsWith('/refunds')) return { reference: 'a' };
  return {};
}
