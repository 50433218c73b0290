import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import { systemTimer } from '../../ports/timer.ts';
import { paymentOf } from '../../settlement/testing/payments.ts';
import { createDatabase, NO_POSTGRES } from '../testing/postgres-database.ts';
import { Database } from './database.ts';
import { PostgresPaymentStore } from './payment-store.ts';
import { openPostgresStores } from './stores.ts';

const BUDGETS = { sponsor: 'sponsor', facilitator: 'facilitator' };
const RECORDS = { merchants: 'merchants', orders: 'orders', links: 'links' };

describe.skipIf(NO_POSTGRES)('stores in PostgreSQL', () => {
  it('serve other requests while payments wait for the budget (bug: no API key was accepted)', async () => {
    const url = await createDatabase();
    const stores = openPostgresStores(url, systemClock, BUDGETS, RECORDS);
    const other = new Database(url);
    onTestFinished(async () => {
      await Promise.all([stores.close(), other.close()]);
    });
    await stores.sponsorBudget.spent();
    await other.transact(async (sql) => {
      await sql`lock table spending in access exclusive mode`;
      const waiting = Array.from({ length: 30 }, (_, at) =>
        stores.sponsorBudget.spend({ lamports: 1n, client: String(at) }, 100n),
      );
      for (const each of waiting) each.catch(() => undefined);
      await sql`select pg_sleep(0.1)`;
      const first = await Promise.race([stores.apiKeys.list(), ...waiting]);
      expect(first).toEqual([]);
    });
  });

  it('find and delete payments without reading all others (bug: each read of an order did)', async () => {
    // One connection, because each reports its own reads.
    const database = new Database(await createDatabase(), systemTimer, 1);
    onTestFinished(() => database.close());
    const store = new PostgresPaymentStore(database);
    const order = { merchant: 'm', orderId: 'a', refundId: null };
    await database.run(
      (sql) => sql`
        insert into payments
        select 'x' || n, 'order:' || n, 'settled', false, 0, 0, now(), now(), ${sql.json({ order })}
        from generate_series(1, 20000) n`,
    );
    await database.run((sql) => sql`analyze payments`);
    const reads = async () => {
      await database.run((sql) => sql`select pg_stat_force_next_flush()`);
      const [row] = await database.run(
        (sql) => sql`
          select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_user_tables
          where relname = 'payments'`,
      );
      return Number(row?.['rows']);
    };
    const before = await reads();
    // The first one also deletes old payments without an order.
    await store.create(paymentOf('a', { identifier: 'order:a', order }), 0);
    expect((await store.get('order:a'))?.id).toBe('a');
    expect((await store.get('a'))?.id).toBe('a');
    expect(await store.get('unknown')).toBeUndefined();
    expect((await reads()) - before).toBeLessThan(20);
  });
});
