import { describe, expect, it } from 'vitest';
import type { Tables } from '../../ports/tables.ts';
import { PostgresBudgetStore } from '../../state/postgres/budget-store.ts';
import { NO_POSTGRES, openDatabase } from '../../state/testing/postgres-database.ts';
import { TABLES_ADAPTERS } from '../../state/testing/tables-adapters.ts';
import { type BudgetStore, type SpendingVerdict, TableBudgetStore } from './budget-store.ts';

const MINUTE_MS = 60_000;

const LIMIT = 100n;

interface Place {
  readonly store: BudgetStore;
  /** The same budget as another replica sees it. */
  readonly other: BudgetStore;
  /** A budget with a different name in the same place. */
  readonly separate: BudgetStore;
  /** Lets time pass; a negative `ms` sets the clock back. */
  pass(ms: number): Promise<void>;
}

function openTables(tables: Tables): Place {
  const clock = { nowMs: 60 * MINUTE_MS, now: () => clock.nowMs };
  const open = (name: string): BudgetStore => new TableBudgetStore(tables, clock, name);
  return {
    store: open('a'),
    other: open('a'),
    separate: open('b'),
    pass: async (ms) => void (clock.nowMs += ms),
  };
}

async function openPostgres(): Promise<Place> {
  const { database, pass } = await openDatabase();
  const open = (name: string): BudgetStore => new PostgresBudgetStore(database, name);
  return { store: open('a'), other: open('a'), separate: open('b'), pass };
}

const ADAPTERS: readonly (readonly [string, () => Promise<Place>, string | undefined])[] = [
  ...TABLES_ADAPTERS.map(([name, open]) => [name, async () => openTables(open()), undefined] as const),
  ['PostgreSQL', openPostgres, NO_POSTGRES],
];

for (const [name, open, missing] of ADAPTERS)
  describe.skipIf(missing)(`a budget in ${name}${missing ? ` (${missing})` : ''}`, () => {
    const spend = (store: BudgetStore, lamports: bigint, client = ''): Promise<SpendingVerdict> =>
      store.spend({ lamports, client }, LIMIT);

    it('can be spent to the last lamport by concurrent requests of all replicas, and no further', async () => {
      const { store, other } = await open();
      const verdicts = await Promise.all(
        Array.from({ length: 20 }, (_, at) => spend(at % 2 === 0 ? store : other, 10n)),
      );
      expect(verdicts.filter((verdict) => verdict === 'exhausted')).toHaveLength(10);
      expect(await spend(other, 1n)).toBe('exhausted');
      expect(await store.spent()).toBe(100n);
    });

    it('returns what was spent, which can be refunded once', async () => {
      const { store, other } = await open();
      const [first, second] = [await spend(store, 40n, 'one'), await spend(store, 30n, 'two')];
      if (typeof first === 'string' || typeof second === 'string') throw new Error('nothing was spent');
      expect(first).toMatchObject({ lamports: 40n, client: 'one' });
      await other.refund(first);
      expect(await store.spent()).toBe(30n);
    });

    it('lets one client spend half of it', async () => {
      const { store } = await open();
      expect(await spend(store, 40n, 'one')).toMatchObject({ lamports: 40n });
      expect(await spend(store, 11n, 'one')).toBe('client-exhausted');
      expect(await spend(store, 10n, 'one')).toMatchObject({ lamports: 10n });
      expect(await spend(store, 50n, 'other')).toMatchObject({ lamports: 50n });
    });

    it('lets a client that has spent nothing spend once, even if the budget is small', async () => {
      const { store } = await open();
      expect(await spend(store, 90n, 'one')).toMatchObject({ lamports: 90n });
      expect(await spend(store, 1n, 'one')).toBe('client-exhausted');
    });

    it('counts a spending for an hour', async () => {
      const { store, pass } = await open();
      await spend(store, 100n);
      await pass(59 * MINUTE_MS);
      expect(await store.spent()).toBe(100n);
      expect(await spend(store, 1n)).toBe('exhausted');
      await pass(MINUTE_MS);
      expect(await store.spent()).toBe(0n);
      expect(await spend(store, 100n)).toMatchObject({ lamports: 100n });
    });

    it('still counts what was spent if the clock was set back', async () => {
      const { store, pass } = await open();
      await spend(store, 100n);
      await pass(-10 * MINUTE_MS);
      expect(await spend(store, 1n)).toBe('exhausted');
    });

    it('is separate from budgets with a different name', async () => {
      const { store, separate } = await open();
      await spend(store, 100n);
      expect(await spend(separate, 100n)).toMatchObject({ lamports: 100n });
    });

    it('counts amounts up to the largest u64', async () => {
      const { store } = await open();
      const max = 2n ** 64n - 1n;
      expect(await store.spend({ lamports: max, client: '' }, max)).toMatchObject({ lamports: max });
      expect(await store.spend({ lamports: 1n, client: '' }, max)).toBe('exhausted');
      expect(await store.spent()).toBe(max);
    });
  });
