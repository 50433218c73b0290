import { describe, expect, it } from 'vitest';
import { PostgresApiKeyStore } from '../../state/postgres/api-key-store.ts';
import { NO_POSTGRES, openDatabase } from '../../state/testing/postgres-database.ts';
import { TABLES_ADAPTERS } from '../../state/testing/tables-adapters.ts';
import { type ApiKeyStore, type StoredKey, TableApiKeyStore } from './api-key-store.ts';

const ADAPTERS: readonly (readonly [string, () => Promise<ApiKeyStore>, string | undefined])[] = [
  ...TABLES_ADAPTERS.map(
    ([name, open]) => [name, async () => new TableApiKeyStore(open()), undefined] as const,
  ),
  ['PostgreSQL', async () => new PostgresApiKeyStore((await openDatabase()).database), NO_POSTGRES],
];

const keyOf = (name: string, changes: Partial<StoredKey> = {}): StoredKey => ({
  digest: `digest of ${name}`,
  id: `spp_${name}`,
  name,
  scopes: ['spl:read', 'spl.deposit'],
  rate: null,
  createdAt: 1_764_000_000_000,
  ...changes,
});

for (const [adapter, open, missing] of ADAPTERS)
  describe.skipIf(missing)(`API keys in ${adapter}${missing ? ` (${missing})` : ''}`, () => {
    it('are listed with the oldest first', async () => {
      const store = await open();
      const keys = [
        keyOf('new', { createdAt: 1_765_000_000_000, rate: 7 }),
        keyOf('b'),
        keyOf('B'),
        keyOf('a', { scopes: ['spl:send'] }),
      ];
      for (const key of keys) expect(await store.add(key)).toBe(true);
      expect(await store.list()).toEqual([keys[2], keys[3], keys[1], keys[0]]);
    });

    it('have different names, IDs and digests', async () => {
      const store = await open();
      await store.add(keyOf('shop'));
      expect(await store.add(keyOf('shop', { digest: 'other', id: 'other' }))).toBe(false);
      expect(await store.add(keyOf('other', { id: 'spp_shop' }))).toBe(false);
      expect(await store.add(keyOf('other', { digest: 'digest of shop' }))).toBe(false);
      expect(await store.list()).toEqual([keyOf('shop')]);
    });

    it('are removed by name or ID, once', async () => {
      const store = await open();
      await store.add(keyOf('shop'));
      await store.add(keyOf('agent', { rate: 5 }));
      expect(await store.revoke('shop')).toEqual(keyOf('shop'));
      expect(await store.revoke('shop')).toBeUndefined();
      expect(await store.revoke('spp_agent')).toEqual(keyOf('agent', { rate: 5 }));
      expect(await store.list()).toEqual([]);
      expect(await store.add(keyOf('shop'))).toBe(true);
    });

    it('with one name are added once by processes that do so at the same time', async () => {
      const store = await open();
      const added = await Promise.all(
        ['1', '2', '3', '4'].map((digest) => store.add(keyOf('shop', { digest, id: digest }))),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
    });
  });
