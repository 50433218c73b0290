import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, HttpClient } from '../../test/conformance/http-client.ts';
import { startService } from '../../test/conformance/running-service.ts';
import type { HttpServer } from '../http/server.ts';
import { TableBudgetStore } from '../payments/fees/budget-store.ts';
import { systemClock } from '../ports/clock.ts';
import { silentLogger } from '../ports/logger.ts';
import type { SpendingPolicy } from '../policy/policy.ts';
import { SpendingGuard } from '../policy/spending-guard.ts';
import { MemoryTables, type Tables } from '../ports/tables.ts';
import { PaymentFollower } from '../settlement/payment-follower.ts';
import { systemTimer } from '../ports/timer.ts';
import { USDC_MINT } from '../programs/addresses.ts';
import { FACILITATOR_PATHS } from './openapi-paths.ts';
import { Facilitator } from './facilitator.ts';
import { TablePaymentStore } from '../settlement/payment-store.ts';
import { createFacilitatorRoutes, FACILITATOR_CALLS } from './routes.ts';
import { paymentOf } from '../settlement/testing/payments.ts';
import { Settlement } from './settlement.ts';
import { FacilitatorScene, NETWORK, PRICE } from './testing/facilitator-scene.ts';

const IDENTIFIER = 'chosen-by-the-payer';

let scene: FacilitatorScene;
let tables: Tables;
let server: HttpServer;
let client: HttpClient;
let signedCount: number;

beforeAll(async () => {
  scene = await FacilitatorScene.open();
});

afterAll(async () => {
  await scene.close();
});

async function open({
  lamportsPerHour = 1_000_000_000n,
  policy = null,
}: { readonly lamportsPerHour?: bigint; readonly policy?: SpendingPolicy | null } = {}): Promise<void> {
  tables = new MemoryTables();
  signedCount = 0;
  const { key, verifier } = scene;
  const { chain } = scene.payments;
  const follower = new PaymentFollower({
    payments: new TablePaymentStore(tables, systemClock),
    ledgerOf: ({ ledger }) => (ledger === 'base' ? chain : (chain.rollup ?? chain)),
    clock: systemClock,
    timer: systemTimer,
    logger: silentLogger,
  });
  const settlement = new Settlement({
    follower,
    budget: new TableBudgetStore(tables, systemClock, 'facilitator'),
    lamportsPerHour,
    policy: policy && new SpendingGuard(policy, tables, systemClock),
    signer: {
      cosign: (payment) => {
        signedCount += 1;
        return key.cosign(payment);
      },
    },
    clock: systemClock,
    logger: silentLogger,
  });
  const routes = createFacilitatorRoutes(
    new Facilitator({ verifier, settlement, feePayer: key.address, clock: systemClock }),
  );
  server = await startService({
    extensions: [{ calls: FACILITATOR_CALLS, routes, paths: FACILITATOR_PATHS }],
  });
  client = new HttpClient(server.port);
}

async function shut(): Promise<void> {
  client.close();
  await server.close();
}

beforeEach(() => open());
afterEach(shut);

const post = (path: string, body: unknown): Promise<Answer> =>
  client.ask({
    path: `/x402/${path}`,
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const get = (path: string): Promise<Answer> => client.ask({ method: 'GET', path: `/x402/${path}` });

const read = ({ text }: Answer): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

function withIdentifier(body: ReturnType<FacilitatorScene['body']>) {
  const extensions = { 'payment-identifier': { info: { required: false, id: IDENTIFIER } } };
  return { ...body, paymentPayload: { ...body.paymentPayload, extensions } };
}

describe('a spending policy of the facilitator', () => {
  const mints = { [USDC_MINT]: { hour: 2n * PRICE }, SOL: {} };
  const refused = 'facilitator_policy_refused';
  const reopen = async (policy: SpendingPolicy): Promise<void> => {
    await shut();
    await open({ policy });
  };

  it('refuses payments above a cap, also parallel ones, before it signs them', async () => {
    await reopen({ mints, recipients: [scene.merchant.address] });
    const bodies = Array.from({ length: 5 }, () => scene.body(scene.build()));
    const answers = (await Promise.all(bodies.map((body) => post('settle', body)))).map(read);
    expect(answers.filter(({ success }) => success)).toHaveLength(2);
    expect(answers.filter(({ errorReason }) => errorReason === refused)).toHaveLength(3);
    expect(signedCount).toBe(2);
    expect(read(await post('verify', scene.body(scene.build())))).toEqual({
      isValid: false,
      payer: scene.payer.address,
      invalidReason: refused,
      invalidMessage: `The spending policy of the facilitator does not allow the payment, so it was not signed. The payment takes ${PRICE} base units, but only 0 of mints.${USDC_MINT}.hour = ${2n * PRICE} are left. Pay what the policy allows, or ask the operator to change mints.${USDC_MINT}.hour.`,
    });
  });

  it('reserves nothing when it verifies', async () => {
    await reopen({ mints, recipients: [scene.merchant.address] });
    const body = scene.body(scene.build());
    for (let i = 0; i < 4; i += 1) expect(read(await post('verify', body))).toMatchObject({ isValid: true });
    expect(read(await post('settle', body))).toMatchObject({ success: true });
  });

  it.each([
    ['recipients', { recipients: [USDC_MINT] }],
    ['programs', { programs: [USDC_MINT] }],
    ['mints', { mints: {} }],
    ['a person', {}],
  ])('refuses a payment by %s', async (name, policy) => {
    await reopen({ mints, ...policy });
    const answer = read(await post('settle', scene.body(scene.build())));
    expect(answer).toMatchObject({ success: false, errorReason: refused, transaction: '' });
    expect(answer['errorMessage']).toContain(name === 'a person' ? 'never been paid before' : name);
  });
});

describe('POST /x402/verify and /x402/settle', () => {
  it('verify and settle a payment, and report its success once', async () => {
    const body = scene.body(scene.build());
    expect(read(await post('verify', body))).toEqual({ isValid: true, payer: scene.payer.address });
    const settled = await post('settle', body);
    expect(settled.status).toBe(200);
    expect(read(settled)).toEqual({
      success: true,
      payer: scene.payer.address,
      transaction: expect.any(String),
      network: NETWORK,
      amount: String(PRICE),
    });
    const again = await post('settle', body);
    expect(again.status).toBe(200);
    expect(read(again)).toMatchObject({
      success: false,
      errorReason: 'duplicate_settlement',
      transaction: read(settled)['transaction'],
    });
    expect(read(await post('verify', body))).toMatchObject({
      isValid: false,
      invalidReason: 'duplicate_settlement',
    });
    expect(signedCount).toBe(1);
  });

  it('settle a payment once if it is sent several times at once', async () => {
    const body = scene.body(scene.build());
    const answers = (await Promise.all(Array.from({ length: 8 }, () => post('settle', body)))).map(read);
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(answers.filter(({ errorReason }) => errorReason === 'duplicate_settlement')).toHaveLength(7);
    expect(signedCount).toBe(1);
  });

  it('do not join a settlement for a requirement that its payment does not satisfy', async () => {
    const wire = scene.build();
    await post('settle', scene.body(wire));
    const body = scene.body(wire, scene.requirement({ payTo: scene.payer.address }));
    expect(read(await post('settle', body))).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_svm_payload_recipient_mismatch',
      transaction: '',
      network: NETWORK,
    });
  });

  it('answer with 409 if the payer has used the identifier for another payment', async () => {
    expect(read(await post('settle', withIdentifier(scene.body(scene.build()))))).toMatchObject({
      success: true,
    });
    const conflict = await post('settle', withIdentifier(scene.body(scene.build())));
    expect(conflict.status).toBe(409);
    expect(read(conflict)).toMatchObject({ success: false, errorReason: 'payment_identifier_conflict' });
  });

  it('answer with 503 and sign nothing if the hourly budget is exhausted', async () => {
    await shut();
    await open({ lamportsPerHour: 1n });
    const answer = await post('settle', scene.body(scene.build()));
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBeDefined();
    expect(read(answer)).toMatchObject({ success: false, errorReason: 'facilitator_budget_exhausted' });
    expect(signedCount).toBe(0);
  });

  it('answer with 503 and sign nothing if the store is unavailable', async () => {
    tables.open('payments').get = () => {
      throw new Error('the disk is gone');
    };
    const answer = await post('settle', scene.body(scene.build()));
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
    expect(read(answer)).toMatchObject({ code: 'SERVICE_BUSY' });
    expect(signedCount).toBe(0);
  });

  it('answer with 200 and the reason if a payment does not verify', async () => {
    const body = scene.body(scene.build({ signers: [] }));
    const answer = await post('verify', body);
    expect(answer.status).toBe(200);
    expect(read(answer)).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_exact_svm_payload_signature_invalid',
    });
  });

  it.each([
    ['no JSON', '{', 'invalid_payload'],
    ['no object', '[]', 'invalid_payload'],
    ['no payment', '{"x402Version":2}', 'invalid_payload'],
    [
      'an unknown version',
      '{"x402Version":3,"paymentPayload":{"x402Version":3},"paymentRequirements":{}}',
      'invalid_x402_version',
    ],
  ])('answer with 400 to %s', async (_, body, reason) => {
    const verified = await post('verify', body);
    expect(verified.status).toBe(400);
    expect(read(verified)).toMatchObject({ isValid: false, invalidReason: reason });
    const settled = await post('settle', body);
    expect(settled.status).toBe(400);
    expect(read(settled)).toMatchObject({ success: false, errorReason: reason, transaction: '' });
  });

  it('answer with 413 to a body over 16 KiB', async () => {
    const answer = await post('verify', JSON.stringify({ x: 'x'.repeat(16 * 1024) }));
    expect(answer.status).toBe(413);
    expect(read(answer)).toMatchObject({ isValid: false, invalidReason: 'invalid_payload' });
  });
});

describe('GET /x402/payments and /x402/supported', () => {
  it('show a payment to readers of its id, and only its state to readers of its identifier', async () => {
    await post('settle', withIdentifier(scene.body(scene.build())));
    const byIdentifier = await get(`payments/${IDENTIFIER}`);
    expect(read(byIdentifier)).toEqual({ state: 'settled' });
    const [, stored] = tables.open<{ id: string; signature: string }>('payments').first() ?? [];
    const payment = read(await get(`payments/${stored?.id}`));
    expect(payment).toMatchObject({
      id: stored?.id,
      state: 'settled',
      transaction: stored?.signature,
      network: NETWORK,
      ledger: 'base',
      amount: String(PRICE),
      slot: expect.any(Number),
      isReleased: true,
    });
    expect(payment['createdMs']).toBeGreaterThan(0);
    expect(JSON.stringify(payment)).not.toContain(scene.payer.address);
  });

  it('hide the payments of orders (bug: anyone who guessed the message could read them)', async () => {
    const id = 'message-of-a-private-order';
    const order = { merchant: 'merchant', orderId: 'order', refundId: null };
    await new TablePaymentStore(tables, systemClock).create(paymentOf(id, { order }), 0);
    expect((await get(`payments/${id}`)).status).toBe(404);
  });

  it.each(['unknown-identifier', '*', '', 'short', '..%2f', 'x'.repeat(129)])(
    'answer with 404 to the id "%s"',
    async (id) => {
      expect((await get(`payments/${id}`)).status).toBe(404);
    },
  );

  it('list the networks, the fee payer and the extensions', async () => {
    const supported = read(await get('supported'));
    expect(supported['kinds']).toContainEqual({
      x402Version: 2,
      scheme: 'exact',
      network: NETWORK,
      extra: { feePayer: scene.key.address },
    });
  });

  it('appear in OpenAPI and in the reference', async () => {
    const document = read(await client.ask({ method: 'GET', path: '/doc' }));
    expect(Object.keys(document['paths'] as object)).toEqual(
      expect.arrayContaining(['/x402/verify', '/x402/settle', '/x402/supported', '/x402/payments/{id}']),
    );
    expect(document['tags']).toContainEqual({ name: 'x402' });
    const page = (await client.ask({ method: 'GET', path: '/reference' })).text;
    expect(page).toContain('<p>x402: <a href="#verifyPayment">');
    expect(page).toContain('<code>paymentRequirements</code><td><i>object</i> The requirement');
    expect(page).toContain('<code>409</code><td>The payment identifier belongs');
  });
});

describe('a private payment', () => {
  it('settles on the rollup, and a look-up shows neither payer nor recipient', async () => {
    await scene.deposit('private');
    const requirement = scene.requirement({ extra: { settlement: 'private' } });
    const body = scene.body(scene.build({ blockhash: scene.rollupBlockhash }), requirement);
    expect(read(await post('settle', body))).toMatchObject({ success: true });
    const [id] = tables.open('payments').first() ?? [];
    const shown = await get(`payments/${id}`);
    expect(read(shown)).toMatchObject({ state: 'settled', ledger: 'rollup' });
    for (const { address } of [scene.payer, scene.merchant]) expect(shown.text).not.toContain(address);
    expect(read(await post('settle', body))).toMatchObject({ errorReason: 'duplicate_settlement' });
  });
});
