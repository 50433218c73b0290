import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Rollup } from '../chain/chain.ts';
import { Keypair } from '../ledger/keypair.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemTimer } from '../ports/timer.ts';
import { signBuilt } from '../rollup/testing/payment-scene.ts';
import { PaymentFollower, type SettlementLedger } from '../settlement/payment-follower.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import type { OrderWithPayment } from './order.ts';
import {
  bearer,
  CheckoutScene,
  type Credentials,
  type Members,
  type NewOrder,
  ORIGIN,
} from './testing/checkout-scene.ts';

const STRANGER = new Keypair(new Uint8Array(32).fill(9));

let scene: CheckoutScene;
let merchant: Credentials;
beforeAll(async () => {
  scene = await CheckoutScene.open();
  merchant = await scene.register();
});
afterAll(() => scene.close());

describe('an order', () => {
  it('is created once for each external reference', async () => {
    const terms = scene.terms({ externalReference: 'once', description: 'Tea ☕', cluster: 'localnet' });
    const first = await scene.post('/v1/payments', terms, merchant);
    expect(first).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        payment: {
          merchantId: scene.merchant.address,
          recipient: scene.merchant.address,
          payer: scene.payer.address,
          amount: '10000',
          decimals: 6,
          symbol: 'USDC',
          status: 'created',
          settlement: 'ephemeral-rollup',
          description: 'Tea ☕',
        },
      },
    });
    const { payment, accessToken } = first.body as unknown as NewOrder;
    const { id } = payment;
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(first.body).toMatchObject({
      checkoutUrl: `${ORIGIN}/v1/payments/${id}`,
      pageUrl: `${ORIGIN}/pay/${id}#${accessToken}`,
      paymentUrls: {
        x402: `${ORIGIN}/v1/x402/payments/${id}/pay`,
        mpp: `${ORIGIN}/v1/mpp/payments/${id}/pay`,
      },
    });
    expect((await scene.post('/v1/payments', terms, merchant)).body).toEqual(first.body);
    expect(await scene.post('/v1/payments', { ...terms, amount: '10001' }, merchant)).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_ORDER_CONFLICT' },
    });
  });

  it.each([
    ['no amount', { amount: undefined }],
    ['an amount of zero', { amount: '0' }],
    ['an amount above u64', { amount: '18446744073709551616' }],
    ['a payer that is not a wallet', { payer: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v1' }],
    ['half of a surrogate pair', { description: '\ud800' }],
    ['U+0000 (bug: 500, because PostgreSQL cannot store it)', { description: 'Tea\0' }],
    ['an unknown member', { amuont: '1' }],
    ['a resource that is not http', { resource: 'file:///etc/passwd' }],
    ['a life that is too short', { expiresInSeconds: 59 }],
  ])('is rejected with %s', async (_, members) => {
    const answer = await scene.post('/v1/payments', scene.terms(members), merchant);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
  });

  it('is rejected with a mint or cluster that is not allowed, and with the merchant as payer', async () => {
    const codes = [];
    for (const members of [
      { mint: STRANGER.address },
      { cluster: 'mainnet' },
      { payer: scene.merchant.address },
    ]) {
      codes.push((await scene.post('/v1/payments', scene.terms(members), merchant)).body['code']);
    }
    expect(codes).toEqual(['INVALID_PAYMENT_MINT', 'CLUSTER_NOT_ALLOWED', 'INVALID_PAYMENT_ACCOUNTS']);
  });

  it('is paid privately with a transaction that its payer signs', async () => {
    const [had, hadBefore] = [await scene.balance(scene.merchant), await scene.balance(scene.payer)];
    const order = await scene.order(merchant);
    const paid = await scene.settle(order, await scene.sign(order));
    expect(paid).toMatchObject({ status: 200, body: { status: 'paid', slot: expect.any(Number) } });
    expect(paid.body['confirmedAt']).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(await scene.balance(scene.merchant)).toBe(had + 10_000n);
    expect(await scene.balance(scene.payer)).toBe(hadBefore - 10_000n);
    const read = await scene.get(`/v1/payments/${order.payment.id}`, merchant);
    expect(read).toMatchObject({ status: 200, body: { ...paid.body, refunds: [] } });
  });

  it('is paid once, even if its payment is settled again, concurrently or with a different transaction', async () => {
    const had = await scene.balance(scene.merchant);
    const order = await scene.order(merchant);
    const [first, second] = [await scene.sign(order), await laterSigned(order)];
    const answers = await Promise.all([first, first, second].map((text) => scene.settle(order, text)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
    expect(await scene.settle(order, first)).toMatchObject({ body: { status: 'paid' } });
    expect(await scene.balance(scene.merchant)).toBe(had + 10_000n);
  });

  it('accepts any prepared transaction while none is signed', async () => {
    const order = await scene.order(merchant);
    const [first, second] = [await scene.sign(order), await laterSigned(order)];
    expect(first).not.toBe(second);
    expect((await scene.settle(order, first)).status).toBe(200);
    expect(await scene.settle(order, second)).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_TRANSACTION_CONFLICT' },
    });
  });

  it('is explained with the wallets of both parties if the payer requests it', async () => {
    const { payment, accessToken } = await scene.order(merchant);
    const path = `/v1/payments/${payment.id}/prepare`;
    expect((await scene.post(path, {}, bearer(accessToken))).body).not.toHaveProperty('explanation');
    const { body } = await scene.post(path, { explain: true }, bearer(accessToken));
    expect(body['explanation']).toMatchObject({
      effects: {
        tokens: [
          { owner: scene.payer.address, change: '-10000' },
          { owner: scene.merchant.address, change: '10000' },
        ],
      },
    });
  });

  it('stays payable if the payment would fail, and says what to do', async () => {
    const order = await scene.order(merchant, { amount: '900000000' });
    const answer = await scene.settle(order, await scene.sign(order));
    expect(answer).toMatchObject({ status: 400, body: { code: 'TRANSACTION_FAILED' } });
    expect(answer.text).toContain('900000000 base units');
    expect((await scene.get(`/v1/payments/${order.payment.id}`, merchant)).body).toMatchObject({
      status: 'created',
    });
  });

  it('can no longer be paid after it has expired', async () => {
    const order = await scene.order(merchant, { expiresInSeconds: 60 });
    const signed = await scene.sign(order);
    scene.aheadMs += 60_000;
    expect(await scene.settle(order, signed)).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_EXPIRED' },
    });
    const prepare = await scene.post(
      `/v1/payments/${order.payment.id}/prepare`,
      {},
      bearer(order.accessToken),
    );
    expect(prepare).toMatchObject({ status: 409, body: { code: 'PAYMENT_EXPIRED' } });
    expect((await scene.get(`/v1/payments/${order.payment.id}`, merchant)).body).toMatchObject({
      status: 'expired',
    });
  });

  it('is paid if its payer sent the transaction without this service, even after it has expired', async () => {
    const order = await scene.order(merchant, { expiresInSeconds: 60 });
    const signed = await scene.sign(order);
    await scene.ledger.sendTransaction(Buffer.from(signed, 'base64'));
    scene.aheadMs += 60_000;
    expect(await scene.settle(order, signed)).toMatchObject({ status: 200, body: { status: 'paid' } });
  });

  it('does not expire because a node is 2 s behind (bug: a second payment could land)', async () => {
    const order = await scene.order(merchant);
    const found = (await scene.checkout.find(order.payment.id)) as OrderWithPayment;
    const { lastValidBlockHeight } = await scene.checkout.settle(
      found,
      await scene.sign(order),
      AbortSignal.abort(),
    );
    const behind = {
      sendTransaction: async () => '',
      // 2 s are 40 blocks of 50 ms.
      blockHeight: async () => lastValidBlockHeight + 40,
      signatureStatus: async () => null,
    };
    const reconcile = async (ledger: SettlementLedger) => {
      scene.aheadMs += 13_000;
      const parts = { payments: scene.store, clock: scene.clock, timer: systemTimer, logger: silentLogger };
      const follower = new PaymentFollower({ ...parts, ledgerOf: () => ledger });
      follower.start();
      await follower.close();
      return (await scene.checkout.paymentOf(order.payment.id))?.state;
    };
    expect(await reconcile(behind)).toBe('signed');
    expect(await reconcile(scene.ledger)).toBe('settled');
  });

  it('can be signed for 45 s on a rollup over RPC (bug: 7.5 s, because its sysvar has 150 blockhashes)', async () => {
    const rollup = scene.payments.chain.rollup as Rollup;
    const overRpc = { lastHeightOf: { value: undefined, configurable: true } };
    Object.defineProperties(rollup, overRpc);
    onTestFinished(() => void Reflect.deleteProperty(rollup, 'lastHeightOf'));
    const [late, tooLate] = [await scene.order(merchant), await scene.order(merchant)];
    const [signed, old] = [await scene.sign(late), await scene.sign(tooLate)];
    scene.payments.pass(45_000);
    expect(await scene.settle(late, signed)).toMatchObject({ status: 200, body: { status: 'paid' } });
    scene.payments.pass(16_000);
    expect((await scene.settle(tooLate, old)).body['code']).toBe('TRANSACTION_EXPIRED');
  });

  it('is rejected if the transaction is not exactly the prepared one', async () => {
    const order = await scene.order(merchant);
    const other = await scene.order(merchant, { amount: '20000' });
    const signed = await scene.sign(order);
    const altered = Buffer.from(signed, 'base64');
    const at = decodeTransaction(altered).messageEnd - 1;
    altered[at] = (altered[at] as number) ^ 1;
    for (const text of [
      'x',
      await scene.sign(other),
      altered.toString('base64'),
      `${signed.slice(0, -4)}AAAA`,
      (await unsigned(order)) as string,
    ]) {
      expect(await scene.settle(order, text), text).toMatchObject({
        status: 400,
        body: { code: 'INVALID_PAYMENT_TRANSACTION' },
      });
    }
    expect((await scene.settle(order, signed)).status).toBe(200);
  });

  it('can be read and paid only with its token or the key of its merchant', async () => {
    const order = await scene.order(merchant);
    const other = await scene.order(merchant);
    const { id } = order.payment;
    for (const credentials of [
      {},
      bearer(other.accessToken),
      bearer(''),
      { authorization: merchant['authorization'] as string },
      { ...merchant, 'x-merchant-id': scene.payer.address },
      { ...merchant, authorization: bearer(order.accessToken)['authorization'] as string },
    ] as Credentials[]) {
      for (const path of [`/v1/payments/${id}`, `/v1/payments/${'0'.repeat(64)}`]) {
        const answer = await scene.get(path, credentials);
        expect(answer.status, JSON.stringify(credentials)).toBe(401);
        expect(answer.headers['www-authenticate']).toBe('Bearer realm="payments"');
      }
      expect((await scene.post(`/v1/payments/${id}/prepare`, {}, credentials)).status).toBe(401);
    }
    expect((await scene.get(`/v1/payments/${id}`, bearer(order.accessToken))).status).toBe(200);
  });

  it('needs private accounts on a cluster with -private, and accounts on the rollup on every cluster', async () => {
    const open = await scene.payments.wallet();
    const order = await scene.order(merchant, { payer: open.address });
    const prepare = `/v1/payments/${order.payment.id}/prepare`;
    expect(await scene.post(prepare, {}, merchant)).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_ACCOUNTS_NOT_DELEGATED', detail: expect.stringContaining(open.address) },
    });
    await scene.payments.base.airdropTokens(open.address, order.payment['mint'] as never, 10_000n);
    await scene.payments.do(open, 'deposit', {
      owner: open.address,
      mint: order.payment['mint'],
      amount: '10000',
      private: false,
    });
    await scene.payments.rollup.settled();
    expect(await scene.post(prepare, {}, merchant)).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_ACCOUNTS_NOT_PRIVATE', detail: expect.stringContaining(open.address) },
    });
    const inTheOpen = await scene.order(merchant, { payer: open.address, cluster: 'localnet' });
    expect((await scene.settle(inTheOpen, await scene.sign(inTheOpen, open))).body).toMatchObject({
      status: 'paid',
    });
  });

  it('is rejected if it exceeds 16 KiB or is not JSON', async () => {
    const large = await scene.post('/v1/payments', JSON.stringify({ x: 'x'.repeat(17_000) }), merchant);
    expect(large).toMatchObject({ status: 413, body: { code: 'REQUEST_TOO_LARGE' } });
    const broken = await scene.post('/v1/payments', '{', merchant);
    expect(broken).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
  });
});

async function unsigned({ payment, accessToken }: NewOrder): Promise<unknown> {
  const { body } = await scene.post(`/v1/payments/${payment.id}/prepare`, {}, bearer(accessToken));
  return body['transactionBase64'];
}

/** Signs the payment of an order on a later blockhash. */
async function laterSigned(order: NewOrder): Promise<string> {
  const { rollup } = scene.payments;
  const { blockhash } = rollup.head();
  while (rollup.head().blockhash === blockhash) scene.payments.pass(50);
  return signBuilt(scene.payer, String(await unsigned(order)));
}

describe('orders of a merchant', () => {
  it('are listed in pages, newest first', async () => {
    const wallet = await scene.payments.wallet();
    const own = await scene.register(wallet);
    const ids = [];
    for (let at = 0; at < 3; at += 1) {
      scene.aheadMs += 1;
      ids.unshift((await scene.order(own)).payment.id);
    }
    const first = await scene.get('/v1/payments?limit=2', own);
    expect(first.body).toMatchObject({ data: ids.slice(0, 2).map((id) => ({ id })), hasMore: true });
    const second = await scene.get(`/v1/payments?limit=2&after=${ids[1]}`, own);
    expect(second.body).toMatchObject({ data: [{ id: ids[2] }], hasMore: false });
    const foreign = await scene.get(`/v1/payments?after=${ids[1]}`, merchant);
    expect(foreign).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    expect((await scene.get('/v1/payments?limit=0', own)).status).toBe(400);
  });
});

describe('a payment link', () => {
  it('lets any wallet create its own order once for each key', async () => {
    const terms = { externalReference: 'shirt', amount: '5000', description: 'A shirt' };
    const created = await scene.post('/v1/payment-links', terms, merchant);
    expect(created).toMatchObject({
      status: 200,
      body: { link: { amount: '5000', decimals: 6, symbol: 'USDC', description: 'A shirt' } },
    });
    expect((await scene.post('/v1/payment-links', terms, merchant)).body).toEqual(created.body);
    const conflict = await scene.post('/v1/payment-links', { ...terms, amount: '1' }, merchant);
    expect(conflict).toMatchObject({ status: 409, body: { code: 'PAYMENT_LINK_CONFLICT' } });
    const path = String(created.body['url']).slice(ORIGIN.length);
    expect((await scene.get(path)).body).toEqual(created.body['link']);
    const use = (key: string, payer = scene.payer.address) =>
      scene.post(`${path}/checkouts`, { payer }, { 'idempotency-key': key });
    const key = 'b1f1d3a2-5b5c-4f5e-9d3a-0123456789ab';
    const order = await use(key);
    expect(order).toMatchObject({
      status: 200,
      body: { payment: { amount: '5000', description: 'A shirt' } },
    });
    expect((await use(key)).body).toEqual(order.body);
    const other = await use('b1f1d3a2-5b5c-4f5e-9d3a-0123456789ac');
    expect((other.body as unknown as NewOrder).payment.id).not.toBe(
      (order.body as unknown as NewOrder).payment.id,
    );
    expect((await use('short')).body).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(order.body).toMatchObject({ payment: { linkId: (created.body['link'] as Members)['id'] } });
    const paid = order.body as unknown as NewOrder;
    expect((await scene.settle(paid, await scene.sign(paid))).body).toMatchObject({ status: 'paid' });
  });

  it('does not store unpaid orders forever (bug: strangers could fill the disk)', async () => {
    const link = await scene.post('/v1/payment-links', { externalReference: 'cap', amount: '7' }, merchant);
    const path = `${String(link.body['url']).slice(ORIGIN.length)}/checkouts`;
    const use = async (digit: number): Promise<NewOrder> => {
      const headers = { 'idempotency-key': `b1f1d3a2-5b5c-4f5e-9d3a-00000000000${digit}` };
      return (await scene.post(path, { payer: scene.payer.address }, headers)).body as unknown as NewOrder;
    };
    const [unpaid, paid] = [await use(1), await use(2)];
    expect((await scene.settle(paid, await scene.sign(paid))).status).toBe(200);
    scene.aheadMs += 8 * 24 * 3_600_000;
    for (const digit of [3, 4]) await use(digit);
    const statusOf = async ({ payment, accessToken }: NewOrder) =>
      (await scene.get(`/v1/payments/${payment.id}`, bearer(accessToken))).status;
    expect([await statusOf(unpaid), await statusOf(paid)]).toEqual([401, 200]);
  });

  it('is not found under the id of a different merchant', async () => {
    const answer = await scene.get(`/v1/payment-links/${STRANGER.address}/${'0'.repeat(64)}`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'PAYMENT_LINK_NOT_FOUND' } });
  });
});
