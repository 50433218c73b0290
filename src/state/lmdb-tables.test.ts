import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { silentLogger } from '../ports/logger.ts';
import { LmdbTables } from './lmdb-tables.ts';

it('persist over a restart, in a folder that they create', async () => {
  const file = join(temporaryFolder(), 'new', 'shared.mdb');
  const first = new LmdbTables(file, silentLogger);
  const table = first.open<number>('table');
  await first.change(() => table.put('a', 1));
  await first.close();
  const second = new LmdbTables(file, silentLogger);
  expect(second.open<number>('table').entries()).toEqual([['a', 1]]);
  await second.close();
});

it('replace an unreadable file, and log it', async () => {
  const file = join(temporaryFolder(), 'shared.mdb');
  writeFileSync(file, 'x'.repeat(10_000));
  const warned: object[] = [];
  const tables = new LmdbTables(file, { ...silentLogger, warn: (facts) => warned.push(facts) });
  expect(warned).toMatchObject([{ file }]);
  const table = tables.open<number>('table');
  await tables.change(() => table.put('a', 1));
  expect(table.get('a')).toBe(1);
  await tables.close();
});

it('keep a file that the system cannot open, and name the folder', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'shared.mdb');
  mkdirSync(file);
  writeFileSync(join(file, 'kept'), 'x');
  expect(() => new LmdbTables(file, silentLogger)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(file) }),
  );
  expect(existsSync(join(file, 'kept'))).toBe(true);
});

it('keep an unreadable file if its data must not be lost', () => {
  const file = join(temporaryFolder(), 'payments.mdb');
  const bytes = 'x'.repeat(10_000);
  writeFileSync(file, bytes);
  expect(() => new LmdbTables(file, silentLogger, true)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('restore it') }),
  );
  expect(readFileSync(file, 'utf8')).toBe(bytes);
});
