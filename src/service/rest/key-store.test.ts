import { describe, expect, it, vi } from 'vitest';
import { MemoryTables, type Tables } from '../../ports/tables.ts';
import { PATIENCE } from '../../ports/testing/patience.ts';
import { TABLES_ADAPTERS } from '../../state/testing/tables-adapters.ts';
import { PostgresKeyStore } from '../../state/postgres/key-store.ts';
import { NO_POSTGRES, openDatabase } from '../../state/testing/postgres-database.ts';
import {
  KEY_LIMITS,
  type KeyLimits,
  type KeyStore,
  TableKeyStore,
  type KeyUse,
  type KeyVerdict,
} from './key-store.ts';

const USE: KeyUse = { place: 'place', fingerprint: 'request' };
const LEASE_MS = 1_000;
const REPLY = Buffer.from([1, 2, 3]);

const useOf = (place: string): KeyUse => ({ place, fingerprint: 'request' });

interface Place {
  readonly store: KeyStore;
  /** The same keys as another replica sees them. */
  readonly other: KeyStore;
  pass(ms: number): Promise<void>;
}

function openTables(tables: Tables, limits: Partial<KeyLimits> = {}): Place {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const open = (): KeyStore => new TableKeyStore(tables, clock, { ...KEY_LIMITS, ...limits });
  return { store: open(), other: open(), pass: async (ms) => void (clock.nowMs += ms) };
}

async function openPostgres(): Promise<Place> {
  const { database, pass } = await openDatabase();
  return { store: new PostgresKeyStore(database), other: new PostgresKeyStore(database), pass };
}

function sceneOf({ store, other, pass }: Place) {
  const claim = (use: KeyUse = USE): Promise<KeyVerdict> => store.claim(use, LEASE_MS);
  const fenceOf = async (use: KeyUse = USE): Promise<number> => {
    const verdict = await claim(use);
    if (verdict.kind !== 'new') throw new Error(`the key is ${verdict.kind}`);
    return verdict.fence;
  };
  const answer = async (use: KeyUse = USE, reply = REPLY): Promise<boolean> =>
    store.settle(use.place, await fenceOf(use), reply);
  const kind = async (use: KeyUse = USE): Promise<string> => (await claim(use)).kind;
  return { store, other, pass, claim, fenceOf, answer, kind };
}

const ADAPTERS: readonly (readonly [string, () => Promise<Place>, string | undefined])[] = [
  ...TABLES_ADAPTERS.map(([name, open]) => [name, async () => openTables(open()), undefined] as const),
  ['PostgreSQL', openPostgres, NO_POSTGRES],
];

for (const [name, openPlace, missing] of ADAPTERS)
  describe.skipIf(missing)(`keys in ${name}${missing ? ` (${missing})` : ''}`, () => {
    const open = async () => sceneOf(await openPlace());

    it('give a key to one of several concurrent claims', async () => {
      const { claim } = await open();
      const kinds = (await Promise.all(Array.from({ length: 20 }, () => claim()))).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'new')).toHaveLength(1);
      expect(kinds.filter((kind) => kind === 'in-use')).toHaveLength(19);
    });

    it('return the response for the same request, and reject another one', async () => {
      const { claim, answer, kind } = await open();
      expect(await answer()).toBe(true);
      expect(await claim()).toEqual({ kind: 'answered', reply: REPLY });
      expect(await kind({ ...USE, fingerprint: 'other' })).toBe('reused');
    });

    it('reject another request while the first is in progress', async () => {
      const { fenceOf, kind } = await open();
      await fenceOf();
      expect(await kind({ ...USE, fingerprint: 'other' })).toBe('reused');
      expect(await kind()).toBe('in-use');
    });

    it('free a released key', async () => {
      const { store, fenceOf, kind } = await open();
      await store.release(USE.place, await fenceOf());
      expect(await kind({ ...USE, fingerprint: 'other' })).toBe('new');
    });

    it('free a key after its lease; a late response does not count', async () => {
      const { store, pass, fenceOf, claim } = await open();
      const first = await fenceOf();
      await pass(LEASE_MS);
      const second = await fenceOf();
      expect(second).toBeGreaterThan(first);
      expect(await store.settle(USE.place, first, REPLY)).toBe(false);
      await store.release(USE.place, first);
      expect((await claim()).kind).toBe('in-use');
      expect(await store.settle(USE.place, second, REPLY)).toBe(true);
      expect((await claim()).kind).toBe('answered');
    });

    it('increase the fence even if the clock was set back', async () => {
      const { store, pass, fenceOf } = await open();
      await pass(LEASE_MS);
      const first = await fenceOf();
      await store.release(USE.place, first);
      await pass(-LEASE_MS);
      expect(await fenceOf()).toBeGreaterThan(first);
      expect(await store.settle(USE.place, first, REPLY)).toBe(false);
    });

    it('are the same for another replica, also for concurrent claims', async () => {
      const { store, other, claim } = await open();
      const claims = Array.from({ length: 20 }, (_, at) => (at % 2 ? store : other).claim(USE, LEASE_MS));
      const kinds = (await Promise.all(claims)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'new')).toHaveLength(1);
      expect((await claim()).kind).toBe('in-use');
      expect((await other.claim({ ...USE, fingerprint: 'other' }, LEASE_MS)).kind).toBe('reused');
    });

    it('delete a response after a day', async () => {
      const { pass, answer, kind } = await open();
      await answer();
      await pass(KEY_LIMITS.storedMs - 1);
      expect(await kind()).toBe('answered');
      await pass(1);
      expect(await kind()).toBe('new');
    });
  });

describe('keys on tables', () => {
  const open = (limits: Partial<KeyLimits>) => sceneOf(openTables(new MemoryTables(), limits));

  it.each<readonly [string, Partial<KeyLimits>]>([
    ['answers', { answersMax: 2 }],
    ['bytes', { bytesMax: 2 * REPLY.length }],
  ])('delete the oldest when there are too many %s', async (_name, limits) => {
    const { answer, kind } = open(limits);
    for (const place of ['a', 'b', 'c']) await answer(useOf(place));
    expect(await kind(useOf('c'))).toBe('answered');
    expect(await kind(useOf('b'))).toBe('answered');
    expect(await kind(useOf('a'))).toBe('new');
  });

  it('delete no request in progress, however many there are', async () => {
    const { answer, fenceOf, kind } = open({ answersMax: 1 });
    await fenceOf(useOf('slow'));
    for (const place of ['a', 'b']) await answer(useOf(place));
    expect(await kind(useOf('slow'))).toBe('in-use');
  });

  it('store no response that exceeds the limit on its own', async () => {
    const { answer, kind } = open({ bytesMax: REPLY.length - 1 });
    await answer();
    expect(await kind()).toBe('new');
  });

  it('store a later response under a key whose earlier one was dropped', async () => {
    const { pass, answer, kind } = open({ storedMs: 10 });
    for (let n = 0; n < 70; n++) await answer(useOf(`${n}`));
    await pass(11);
    // With it go the first of those that are too old, and with the next one the rest.
    await answer(useOf('69'));
    expect(await kind(useOf('other'))).toBe('new');
    expect(await kind(useOf('69'))).toBe('answered');
    expect(await kind(useOf('68'))).toBe('new');
  });
});

describe.skipIf(NO_POSTGRES)('keys in PostgreSQL', () => {
  it('are deleted even if each request is repeated once (bug: only some patterns deleted any)', async () => {
    const { database, pass } = await openDatabase();
    const store = new PostgresKeyStore(database);
    const use = async (name: string): Promise<void> => {
      for (let time = 0; time < 2; time++) await store.claim(useOf(name), LEASE_MS);
    };
    for (let n = 0; n < 100; n++) await use(`old ${n}`);
    await pass(LEASE_MS);
    for (let n = 0; n < 100; n++) await use(`new ${n}`);
    const count = () =>
      database.run(
        (sql) => sql<{ count: number }[]>`select count(*)::int from keys where place like 'old %'`,
      );
    await vi.waitFor(async () => expect(await count()).toEqual([{ count: 0 }]), PATIENCE);
  });
});
