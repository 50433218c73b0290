import { describe, expect, it } from 'vitest';
import { PostgresRecordStore } from '../state/postgres/record-store.ts';
import { NO_POSTGRES, openDatabase } from '../state/testing/postgres-database.ts';
import { TABLES_ADAPTERS } from '../state/testing/tables-adapters.ts';
import { type RecordStore, type StoredRecord, TableRecordStore } from './record-store.ts';

interface Note extends StoredRecord {
  readonly text: string;
}

type Opened = readonly [RecordStore<Note>, RecordStore<Note>];

const ADAPTERS: readonly (readonly [string, () => Promise<Opened>, string | undefined])[] = [
  ...TABLES_ADAPTERS.map(([name, open]) => {
    const openAll = async (): Promise<Opened> => {
      const tables = open();
      return [new TableRecordStore(tables, 'notes'), new TableRecordStore(tables, 'other notes')];
    };
    return [name, openAll, undefined] as const;
  }),
  [
    'PostgreSQL',
    async () => {
      const { database } = await openDatabase();
      return [new PostgresRecordStore(database, 'notes'), new PostgresRecordStore(database, 'other notes')];
    },
    NO_POSTGRES,
  ],
];

const note = (id: string, members: Partial<Note> = {}): Note => ({
  id,
  owner: 'ann',
  version: 0,
  createdMs: 1_000,
  untilMs: null,
  text: `text of ${id}`,
  ...members,
});

for (const [name, open, missing] of ADAPTERS)
  describe.skipIf(missing)(`records in ${name}${missing ? ` (${missing})` : ''}`, () => {
    it('are returned as they were created, and only by their own store', async () => {
      const [notes, others] = await open();
      const created = note('a', { text: 'ä "quoted" \u2028' });
      expect(await notes.create(created)).toEqual(created);
      expect(await notes.get('a')).toEqual(created);
      expect(await notes.get('b')).toBeUndefined();
      expect(await others.get('a')).toBeUndefined();
    });

    it('are created once for each id', async () => {
      const [notes] = await open();
      const texts = Array.from({ length: 10 }, (_, at) => String(at));
      const created = await Promise.all(texts.map((text) => notes.create(note('a', { text }))));
      expect(new Set(created.map(({ text }) => text)).size).toBe(1);
      expect(created[0]).toEqual(await notes.get('a'));
    });

    it('are replaced only from their current version', async () => {
      const [notes] = await open();
      await notes.create(note('a'));
      const replaced = await Promise.all(
        ['x', 'y'].map((text) => notes.replace(note('a', { version: 1, text }))),
      );
      expect(replaced.filter((isDone) => isDone)).toHaveLength(1);
      expect(await notes.get('a')).toMatchObject({ version: 1, text: expect.stringMatching(/^[xy]$/) });
      expect(await notes.replace(note('b', { version: 1 }))).toBe(false);
    });

    it('are deleted after their time, unless they were replaced by permanent ones', async () => {
      const [notes, others] = await open();
      for (const id of ['a', 'b', 'c', 'd']) await notes.create(note(id, { untilMs: 5_000 }));
      await others.create(note('x', { untilMs: 9_000 }));
      await notes.create(note('lasting'));
      expect(await notes.replace(note('b', { version: 1, untilMs: null }))).toBe(true);
      const later = { createdMs: 5_000, untilMs: 9_000 };
      for (const id of ['e', 'f', 'g']) await notes.create(note(id, later));
      await expect
        .poll(async () => (await notes.list('ann', 9)).map(({ id }) => id))
        .toEqual(['g', 'f', 'e', 'lasting', 'b']);
      for (const id of ['a', 'c', 'd']) expect(await notes.get(id)).toBeUndefined();
      expect(await others.get('x')).toBeDefined();
      expect(await notes.replace(note('a', { version: 1 }))).toBe(false);
    });

    it('are listed by owner in pages, newest first', async () => {
      const [notes] = await open();
      for (const [at, id] of ['c', 'a', 'B', 'd'].entries())
        await notes.create(note(id, { createdMs: at < 2 ? 1_000 : 2_000 * at }));
      await notes.create(note('of bob', { owner: 'bob' }));
      await notes.create(note('of anna', { owner: 'anna' }));
      const first = await notes.list('ann', 2);
      expect(first.map(({ id }) => id)).toEqual(['d', 'B']);
      const second = await notes.list('ann', 9, first[1]);
      expect(second.map(({ id }) => id)).toEqual(['c', 'a']);
      expect(await notes.list('ann', 9, second[1])).toEqual([]);
      expect(await notes.list('ann', 9, { createdMs: 4_000, id: '' })).toEqual(second);
      expect(await notes.list('nobody', 9)).toEqual([]);
    });
  });
