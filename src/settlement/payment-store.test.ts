import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { silentLogger } from '../ports/logger.ts';
import type { Tables } from '../ports/tables.ts';
import { LmdbTables } from '../state/lmdb-tables.ts';
import { PostgresPaymentStore } from '../state/postgres/payment-store.ts';
import { NO_POSTGRES, openDatabase } from '../state/testing/postgres-database.ts';
import { TABLES_ADAPTERS } from '../state/testing/tables-adapters.ts';
import { type Payment, PAYMENT_STORED_MS, type PaymentStore, TablePaymentStore } from './payment-store.ts';
import { paymentOf } from './testing/payments.ts';

const LEASE_MS = 1_000;

const ORDER = { merchant: 'merchant', orderId: 'order', refundId: null };

interface Place {
  readonly store: PaymentStore;
  /** The same payments as another replica sees them. */
  readonly other: PaymentStore;
  /** Lets time pass; a negative `ms` sets the clock back. */
  pass(ms: number): Promise<void>;
}

function openTables(tables: Tables): Place {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const open = (): PaymentStore => new TablePaymentStore(tables, clock);
  return { store: open(), other: open(), pass: async (ms) => void (clock.nowMs += ms) };
}

async function openPostgres(): Promise<Place> {
  const { database, pass } = await openDatabase();
  return { store: new PostgresPaymentStore(database), other: new PostgresPaymentStore(database), pass };
}

const ADAPTERS: readonly (readonly [string, () => Promise<Place>, string | undefined])[] = [
  ...TABLES_ADAPTERS.map(([name, open]) => [name, async () => openTables(open()), undefined] as const),
  ['PostgreSQL', openPostgres, NO_POSTGRES],
];

const idsOf = (payments: readonly Payment[]): string[] => payments.map(({ id }) => id);

for (const [name, open, missing] of ADAPTERS)
  describe.skipIf(missing)(`payments in ${name}${missing ? ` (${missing})` : ''}`, () => {
    it('return a payment by its id and by its identifier, with every member', async () => {
      const { store, other } = await open();
      const payment = paymentOf('a', {
        identifier: 'chosen',
        amount: 2n ** 64n - 1n,
        error: '"x"',
        slot: 2 ** 40,
      });
      expect(await store.create(payment, LEASE_MS)).toEqual({ kind: 'created', payment });
      const found = await other.get('a');
      expect(found && { ...found, wire: new Uint8Array(found.wire) }).toEqual(payment);
      expect((await other.get('chosen'))?.id).toBe('a');
      expect(await other.get('b')).toBeUndefined();
    });

    it('prefer the payment with this id to one that has it as identifier', async () => {
      const { store } = await open();
      await store.create(paymentOf('a', { identifier: 'b' }), LEASE_MS);
      expect((await store.get('b'))?.id).toBe('a');
      await store.create(paymentOf('b'), LEASE_MS);
      expect((await store.get('b'))?.id).toBe('b');
    });

    it('create a payment once, even if replicas create it concurrently', async () => {
      const { store, other } = await open();
      const created = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? store : other).create(paymentOf('a', { signature: String(at) }), LEASE_MS),
        ),
      );
      const kinds = created.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'created')).toHaveLength(1);
      expect(kinds.filter((kind) => kind === 'same')).toHaveLength(19);
      const signatures = created.map((each) => (each.kind === 'conflict' ? '' : each.payment.signature));
      expect(new Set(signatures)).toEqual(new Set([(await store.get('a'))?.signature]));
    });

    it('reject an identifier that belongs to another message', async () => {
      const { store, other } = await open();
      const created = await Promise.all([
        store.create(paymentOf('a', { identifier: 'chosen' }), LEASE_MS),
        other.create(paymentOf('b', { identifier: 'chosen' }), LEASE_MS),
      ]);
      expect(created.map(({ kind }) => kind).sort()).toEqual(['conflict', 'created']);
      expect(await store.pendingCount()).toBe(1);
    });

    it('return the stored payment if the same message comes with a different identifier', async () => {
      const { store } = await open();
      await store.create(paymentOf('a', { identifier: 'chosen' }), LEASE_MS);
      const again = await store.create(paymentOf('a', { identifier: 'other' }), LEASE_MS);
      expect(again).toMatchObject({ kind: 'same', payment: { identifier: 'chosen' } });
    });

    it('change a payment only from its current version', async () => {
      const { store, other } = await open();
      await store.create(paymentOf('a'), LEASE_MS);
      const settled = await store.advance(paymentOf('a'), { state: 'settled', slot: 7 });
      expect(settled).toMatchObject({ state: 'settled', slot: 7, version: 1, isReleased: false });
      expect(await other.advance(paymentOf('a'), { state: 'expired' })).toBeUndefined();
      expect(await other.get('a')).toMatchObject({ state: 'settled', version: 1 });
      expect(await other.advance(paymentOf('b'), { state: 'expired' })).toBeUndefined();
    });

    it('release a payment to one of several replicas', async () => {
      const { store, other } = await open();
      await store.create(paymentOf('a'), LEASE_MS);
      await store.advance(paymentOf('a'), { state: 'settled' });
      const released = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (at % 2 === 0 ? store : other).advance(paymentOf('a', { version: 1 }), { isReleased: true }),
        ),
      );
      expect(released.filter((each) => each !== undefined)).toMatchObject([{ isReleased: true, version: 2 }]);
    });

    it('lease each signed payment to one replica, the one that waited longest first', async () => {
      const { store, other, pass } = await open();
      for (const id of ['a', 'b', 'c']) {
        await store.create(paymentOf(id), LEASE_MS);
        await pass(10);
      }
      await store.advance(paymentOf('b'), { state: 'failed' });
      expect(await other.lease(9, LEASE_MS)).toEqual([]);
      await pass(LEASE_MS);
      expect(idsOf(await other.lease(1, LEASE_MS))).toEqual(['a']);
      const leased = await Promise.all([store.lease(9, LEASE_MS), other.lease(9, LEASE_MS)]);
      expect(leased.flatMap(idsOf)).toEqual(['c']);
    });

    it('lease a payment again after its lease ends, behind those that wait', async () => {
      const { store, other, pass } = await open();
      await store.create(paymentOf('a'), 0);
      await store.create(paymentOf('b'), LEASE_MS - 10);
      await store.lease(1, LEASE_MS);
      await pass(LEASE_MS - 1);
      expect(idsOf(await other.lease(9, LEASE_MS))).toEqual(['b']);
      await pass(1);
      expect(idsOf(await other.lease(9, LEASE_MS))).toEqual(['a']);
    });

    it('lease an old payment less often', async () => {
      const { store, pass } = await open();
      await store.create(paymentOf('a'), LEASE_MS);
      await pass(80 * LEASE_MS);
      expect(idsOf(await store.lease(9, LEASE_MS))).toEqual(['a']);
      await pass(9 * LEASE_MS);
      expect(await store.lease(9, LEASE_MS)).toEqual([]);
      await pass(LEASE_MS);
      expect(idsOf(await store.lease(9, LEASE_MS))).toEqual(['a']);
    });

    it('lease a payment if the clock was set back by more than the lease', async () => {
      const { store, pass } = await open();
      await pass(3_600_000);
      await store.create(paymentOf('a'), LEASE_MS);
      await pass(-3_600_000);
      expect(idsOf(await store.lease(9, LEASE_MS))).toEqual(['a']);
      expect(await store.lease(9, LEASE_MS)).toEqual([]);
    });

    it('give the identifier of an order to a new payment after the one that had it has expired', async () => {
      const { store, other } = await open();
      const first = paymentOf('a', { identifier: 'chosen', order: ORDER });
      await store.create(first, LEASE_MS);
      await store.advance(first, { state: 'expired' });
      expect((await other.get('chosen'))?.id).toBe('a');
      const created = await Promise.all(
        ['b', 'c'].map((id, at) => (at === 0 ? store : other).create({ ...first, id }, LEASE_MS)),
      );
      expect(created.map(({ kind }) => kind).sort()).toEqual(['conflict', 'created']);
      expect((await other.get('chosen'))?.state).toBe('signed');
      expect((await other.get('a'))?.state).toBe('expired');
    });

    it('keep the identifier of a payer after expiry (bug: another payment could settle under it)', async () => {
      const { store, other } = await open();
      const first = paymentOf('a', { identifier: 'chosen' });
      await store.create(first, LEASE_MS);
      await store.advance(first, { state: 'expired' });
      expect(await other.create({ ...first, id: 'b' }, LEASE_MS)).toEqual({ kind: 'conflict' });
      expect(await other.get('chosen')).toMatchObject({ id: 'a', state: 'expired' });
    });

    it('have an event with the outcome if they belong to an order, and lease it until it is delivered', async () => {
      const { store, other, pass } = await open();
      for (const id of ['a', 'b']) await store.create(paymentOf(id, { order: ORDER }), LEASE_MS);
      await store.create(paymentOf('c'), LEASE_MS);
      expect(await store.leaseDeliveries(9, LEASE_MS)).toEqual([]);
      await pass(LEASE_MS);
      await store.advance(paymentOf('a', { order: ORDER }), { state: 'settled' });
      await store.advance(paymentOf('c'), { state: 'settled' });
      expect(idsOf(await store.lease(9, LEASE_MS))).toEqual(['b']);
      const [due] = await other.leaseDeliveries(9, LEASE_MS);
      expect(due).toMatchObject({ id: 'a', order: ORDER, delivery: { state: 'due', attempts: 0 } });
      expect(await store.leaseDeliveries(9, LEASE_MS)).toEqual([]);
      const tried = { state: 'due', attempts: 1, status: 500, attemptedMs: 7 } as const;
      await store.advance(due as Payment, { delivery: tried }, 5 * LEASE_MS);
      await pass(5 * LEASE_MS - 1);
      expect(await store.leaseDeliveries(9, LEASE_MS)).toEqual([]);
      await pass(1);
      const [again] = await store.leaseDeliveries(9, LEASE_MS);
      expect(again).toMatchObject({ id: 'a', state: 'settled', delivery: tried });
      await store.advance(again as Payment, { delivery: { ...tried, state: 'delivered', attempts: 2 } });
      await pass(80 * LEASE_MS);
      expect(await other.leaseDeliveries(9, LEASE_MS)).toEqual([]);
      expect(await other.get('a')).toMatchObject({ delivery: { state: 'delivered', attempts: 2 } });
    });

    it('lease an event to one replica', async () => {
      const { store, other } = await open();
      for (const id of ['a', 'b', 'c']) {
        await store.create(paymentOf(id, { order: ORDER }), LEASE_MS);
        await store.advance(paymentOf(id, { order: ORDER }), { state: 'failed' });
      }
      const leased = await Promise.all([store, other].map((each) => each.leaseDeliveries(9, LEASE_MS)));
      expect(leased.flatMap(idsOf).sort()).toEqual(['a', 'b', 'c']);
    });

    it('count the signed payments, without those of orders (bug: x402 counted them as its own)', async () => {
      const { store, other } = await open();
      await store.create(paymentOf('c', { order: ORDER }), LEASE_MS);
      for (const id of ['a', 'b']) await store.create(paymentOf(id), LEASE_MS);
      expect(await other.pendingCount()).toBe(2);
      await store.advance(paymentOf('a'), { state: 'expired' });
      expect(await other.pendingCount()).toBe(1);
    });

    it('delete final payments after 30 days, and keep signed ones and those of orders', async () => {
      const { store, pass } = await open();
      await store.create(paymentOf('signed'), LEASE_MS);
      await store.create(paymentOf('final', { identifier: 'chosen' }), LEASE_MS);
      await store.advance(paymentOf('final'), { state: 'settled' });
      await store.create(paymentOf('of an order', { order: ORDER }), LEASE_MS);
      await store.advance(paymentOf('of an order', { order: ORDER }), { state: 'settled' });
      const createdMs = PAYMENT_STORED_MS + 1;
      await pass(createdMs);
      for (let at = 0; at < 65; at += 1) await store.create(paymentOf(`new ${at}`, { createdMs }), LEASE_MS);
      await expect.poll(() => store.get('final')).toBeUndefined();
      expect(await store.get('chosen')).toBeUndefined();
      expect(await store.get('signed')).toBeDefined();
      expect(await store.get('of an order')).toBeDefined();
      expect(await store.get('new 0')).toBeDefined();
    });
  });

describe('payments in an LMDB file', () => {
  it('survive a restart, with their leases', async () => {
    const file = join(temporaryFolder(), 'payments.mdb');
    const clock = { nowMs: 0, now: () => clock.nowMs };
    const payment = paymentOf('a', { identifier: 'chosen' });
    const first = new LmdbTables(file, silentLogger);
    await new TablePaymentStore(first, clock).create(payment, LEASE_MS);
    await first.close();
    const second = new LmdbTables(file, silentLogger);
    const store = new TablePaymentStore(second, clock);
    const found = await store.get('chosen');
    expect(found && { ...found, wire: new Uint8Array(found.wire) }).toEqual(payment);
    expect(await store.lease(9, LEASE_MS)).toEqual([]);
    clock.nowMs = LEASE_MS;
    expect(idsOf(await store.lease(9, LEASE_MS))).toEqual(['a']);
    await second.close();
  });
});
