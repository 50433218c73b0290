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

it('describe every call of the API of merchants once', () => {
  const operations = Object.values(createCheckoutPaths() as Operations).flatMap((item) =>
    Object.values(item),
  );
  expect(operations).toHaveLength(CHECKOUT_CALLS.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

it('are in the document of the service, and a call that needs credentials is refused without them', async () => {
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
