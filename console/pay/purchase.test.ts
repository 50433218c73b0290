import { expect, it } from 'vitest';
import { ServiceFailure } from '../parts/service-api.ts';
import { memoryStorage } from '../testing/memory-storage.ts';
import { claimedHost, type Order } from './order.ts';
import { Purchase } from './purchase.ts';

const ORDER: Order = {
  id: 'a1',
  payer: 'payer',
  merchantId: 'merchant',
  amount: '10000',
  mint: 'mint',
  decimals: 6,
  symbol: 'USDC',
  cluster: 'localnet-private',
  expiresAt: '2026-11-28T10:00:00.000Z',
  status: 'created',
};

const PREPARED = { transactionBase64: 'AQID', explanation: {} } as never;

/** A purchase with a service that responds on command. */
function purchaseAt(
  place: ConstructorParameters<typeof Purchase>[0] = { kind: 'order', id: 'a1', token: 't' },
) {
  const calls: { readonly path: string; readonly init: RequestInit }[] = [];
  const answers: ((answer: unknown) => void)[] = [];
  const waits: number[] = [];
  const addresses: string[] = [];
  const storage = memoryStorage();
  let wake = (): void => undefined;
  let uuids = 0;
  const purchase = new Purchase(place, {
    exchange: (path, init, onResponse) => {
      calls.push({ path, init });
      onResponse?.(new Response(null, { headers: { date: 'Sat, 28 Nov 2026 09:00:00 GMT' } }));
      return new Promise((resolve, reject) => {
        answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer as never)));
      });
    },
    nowMs: () => Date.parse('2026-11-28T08:00:00Z'),
    wait: (ms) => {
      waits.push(ms);
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    replaceAddress: (path) => void addresses.push(path),
    randomUuid: () => `key ${(uuids += 1)}`,
    storage,
  });
  /** Answers the oldest call, and lets the purchase continue. */
  const answer = async (given: unknown): Promise<void> => {
    answers.shift()?.(given);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const next = async (): Promise<void> => {
    wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { purchase, calls, waits, addresses, answer, next };
}

const failure = (code: string | null, details = {}): ServiceFailure =>
  new ServiceFailure('words', code, details);

it('reads an order every two seconds until it is over, and less often while the service fails', async () => {
  const { purchase, calls, waits, answer, next } = purchaseAt();
  void purchase.follow();
  expect(calls[0]).toMatchObject({
    path: '/v1/payments/a1',
    init: { headers: { authorization: 'Bearer t' } },
  });
  await answer(ORDER);
  for (let times = 0; times < 5; times += 1) {
    await next();
    await answer(failure(times % 2 === 0 ? null : 'INTERNAL_ERROR'));
    expect(purchase.isOffline.value).toBe(true);
  }
  await next();
  await answer(ORDER);
  expect(purchase.isOffline.value).toBe(false);
  await next();
  await answer({ ...ORDER, status: 'paid' });
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 2_000]);
  expect(purchase.order.value?.status).toBe('paid');
});

it('reads a paid order again until its refunds have an outcome', async () => {
  const { purchase, waits, answer, next } = purchaseAt();
  void purchase.follow();
  const paid = { ...ORDER, status: 'paid' };
  const refund = { id: 'r1', amount: '4000' };
  await answer({ ...paid, refunds: [{ ...refund, status: 'pending' }] });
  await next();
  await answer({ ...paid, refunds: [{ ...refund, status: 'paid' }] });
  await next();
  expect(waits).toEqual([2_000]);
  expect(purchase.order.value?.refunds?.[0]?.status).toBe('paid');
});

it.each([
  ['fails', 'idle', 'This payment would fail, so it is not signed.'],
  ['succeeds', 'review', undefined],
  ['unavailable', 'review', undefined],
])('offers to sign unless a simulation fails: one that %s', async (status, step, title) => {
  const { purchase, answer } = purchaseAt();
  void purchase.follow();
  await answer(ORDER);
  void purchase.review('payer');
  await answer({ transactionBase64: 'AQID', explanation: { simulation: { status } } });
  expect([purchase.step.value.kind, purchase.failure.value?.title]).toEqual([step, title]);
});

it.each([
  ['https://shop.example.com/tea', 'shop.example.com'],
  ['https://service.example/v1/payments/a1', null],
  ['https://service.example@shop.example:8443/', 'shop.example:8443'],
  ['https://shöp.example/', 'xn--shp-tna.example'],
  ['no URL', null],
  [undefined, null],
])("names the host in the order's resource, unless it is the service: %s", (resource, host) => {
  const terms = resource === undefined ? ORDER : { ...ORDER, resource };
  expect(claimedHost(terms, 'service.example')).toBe(host);
});

it('stops reading if the token is wrong', async () => {
  const { purchase, waits, answer } = purchaseAt();
  void purchase.follow();
  await answer(failure('PAYMENT_UNAUTHORIZED'));
  expect([waits, purchase.failure.value?.title]).toEqual([[], 'This address does not open a payment.']);
});

it('counts time by the clock of the service', async () => {
  const { purchase, answer } = purchaseAt();
  void purchase.follow();
  await answer(ORDER);
  expect(Date.parse(ORDER.expiresAt) - purchase.nowMs()).toBe(3_600_000);
});

it('does not go back to an older state if a read answers late', async () => {
  const { purchase, answer, next } = purchaseAt();
  void purchase.follow();
  await answer(ORDER);
  void purchase.pay(PREPARED, async (bytes) => bytes);
  await new Promise((resolve) => setImmediate(resolve));
  await next();
  await answer({ ...ORDER, status: 'paid' });
  await answer(ORDER);
  expect(purchase.order.value?.status).toBe('paid');
});

it('prepares again if signing took too long', async () => {
  const { purchase, calls, answer } = purchaseAt();
  void purchase.follow();
  await answer(ORDER);
  void purchase.review('payer');
  await answer(PREPARED);
  expect(purchase.step.value).toEqual({ kind: 'review', prepared: PREPARED });
  void purchase.pay(PREPARED, async (bytes) => bytes);
  await new Promise((resolve) => setImmediate(resolve));
  await answer(failure('TRANSACTION_EXPIRED'));
  expect([purchase.step.value.kind, purchase.failure.value?.title]).toEqual([
    'idle',
    'Signing took too long.',
  ]);
  void purchase.review('payer');
  expect(purchase.failure.value).toBeNull();
  expect(calls.map(({ path }) => path.split('/').at(-1))).toEqual(['a1', 'prepare', 'settle', 'prepare']);
});

it('says that the outcome is unknown if the service does not answer after the signature', async () => {
  const { purchase, answer, next } = purchaseAt();
  void purchase.follow();
  await answer(ORDER);
  void purchase.pay(PREPARED, async (bytes) => bytes);
  await new Promise((resolve) => setImmediate(resolve));
  await answer(failure(null));
  expect(purchase.failure.value?.text).toContain('You cannot pay this order twice.');
  await next();
  await answer({ ...ORDER, status: 'pending' });
  expect(purchase.failure.value).toBeNull();
  await next();
  await answer(ORDER);
  expect(purchase.failure.value?.title).toBe('The ledger did not accept your payment in time.');
});

it.each([
  ['payer', 'Your wallet has no balance of this token on the rollup.'],
  ['merchant', 'The merchant cannot receive this payment yet.'],
])('says who must deposit: the %s', async (owner, title) => {
  const { purchase, answer } = purchaseAt();
  void purchase.follow();
  await answer(ORDER);
  void purchase.review('payer');
  await answer(failure('PAYMENT_ACCOUNTS_NOT_DELEGATED', { owners: [owner] }));
  expect(purchase.failure.value?.title).toBe(title);
});

it('creates one order for each purchase through a link, and moves to its address', async () => {
  const { purchase, calls, addresses, answer } = purchaseAt({ kind: 'link', merchant: 'm', id: 'l' });
  void purchase.follow();
  await answer(ORDER);
  expect([purchase.terms.value, purchase.order.value]).toEqual([ORDER, null]);
  const keys = (): unknown[] =>
    calls
      .filter(({ path }) => path === '/v1/payment-links/m/l/checkouts')
      .map(({ init }) => (init.headers as Record<string, string>)['idempotency-key']);
  const made = (status: Order['status']) => ({
    payment: { ...ORDER, status },
    pageUrl: 'https://x.example/pay/b2#u',
  });
  void purchase.review('payer');
  await answer(failure(null));
  void purchase.review('payer');
  // The first order was paid in the meantime, so this is a new purchase.
  await answer(made('paid'));
  await answer(made('created'));
  expect(keys()).toEqual(['key 1', 'key 1', 'key 2']);
  expect(addresses).toEqual(['/pay/b2#u']);
  expect(calls.slice(-2)).toMatchObject([
    { path: '/v1/payments/b2', init: { headers: { authorization: 'Bearer u' } } },
    { path: '/v1/payments/b2/prepare' },
  ]);
});
