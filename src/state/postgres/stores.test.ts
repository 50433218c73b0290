import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import { createDatabase, NO_POSTGRES } from '../testing/postgres-database.ts';
import { Database } from './database.ts';
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
});
