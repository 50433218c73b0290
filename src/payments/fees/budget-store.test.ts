import { describe, expect, it } from 'vitest';
import { TABLES_ADAPTERS } from '../../stack/testing/tables-adapters.ts';
import { HELD_MS_MAX, TableBudgetStore } from './budget-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe.each(TABLES_ADAPTERS)('a budget in %s', (_place, openTables) => {
  function open(limit: bigint) {
    const clock = { nowMs: 10 * HOUR_MS, now: () => clock.nowMs };
    const tables = openTables();
    const store = new TableBudgetStore(tables, clock, limit);
    let holds = 0;
    const hold = (lamports: bigint, client?: string, signature = `${(holds += 1)}`): Promise<string> =>
      store.hold({ signature, client, lamports });
    /** The same budget as another process has it. */
    const elsewhere = (): TableBudgetStore => new TableBudgetStore(tables, clock, limit);
    return { clock, store, hold, elsewhere };
  }

  it('is held to the last lamport by all who hold at once, and not beyond', async () => {
    const { store, hold } = open(100n);
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => hold(10n)));
    expect(verdicts.filter((verdict) => verdict === 'held')).toHaveLength(10);
    expect(verdicts.filter((verdict) => verdict === 'exhausted')).toHaveLength(10);
    expect(store.figures).toEqual({ spent: 0n, held: 100n, limit: 100n });
  });

  it('is one for all processes, and stays when they are gone', async () => {
    const { hold, elsewhere } = open(100n);
    await hold(60n);
    const other = elsewhere();
    expect(await other.hold({ signature: 'other', client: undefined, lamports: 41n })).toBe('exhausted');
    expect(other.figures.held).toBe(60n);
  });

  it('counts what was spent for an hour, and gives back the rest', async () => {
    const { clock, store, hold } = open(100n);
    await hold(100n, undefined, 'a');
    await store.settle('a', 30n);
    expect(store.figures).toMatchObject({ spent: 30n, held: 0n });
    await store.settle('a', 30n);
    clock.nowMs += HOUR_MS - MINUTE_MS;
    expect(store.figures).toMatchObject({ spent: 30n });
    clock.nowMs += MINUTE_MS;
    expect(store.figures).toMatchObject({ spent: 0n });
    expect(await hold(100n)).toBe('held');
  });

  it('takes for spent what nobody holds any more, from when it was held last', async () => {
    const { clock, store, hold } = open(100n);
    await hold(40n, undefined, 'gone');
    await hold(40n, undefined, 'renewed');
    clock.nowMs += HELD_MS_MAX - 1;
    await hold(40n, undefined, 'renewed');
    clock.nowMs += 1;
    await hold(1n, undefined, 'new');
    expect(store.figures).toMatchObject({ spent: 40n, held: 41n });
    await store.settle('renewed', 0n);
    clock.nowMs += HOUR_MS - HELD_MS_MAX;
    expect(store.figures).toMatchObject({ spent: 0n });
  });

  it('lets one client hold a quarter of it, and at least one transaction', async () => {
    const { hold } = open(100n);
    expect(await hold(20n, 'one')).toBe('held');
    expect(await hold(6n, 'one')).toBe('client-exhausted');
    expect(await hold(5n, 'one')).toBe('held');
    expect(await hold(50n, 'other')).toBe('held');
  });
});
