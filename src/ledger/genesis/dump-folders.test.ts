import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findDump, findDumpFolders } from './dumps.ts';
import { makePackage } from './testing/tarball.ts';

const root = mkdtempSync(join(tmpdir(), 'spl-dumps-'));
afterAll(() => rmSync(root, { recursive: true }));

const { source } = makePackage({ a: 'right' });

function folderWith(name: string, content: string | null): string {
  const folder = join(root, name);
  mkdirSync(folder);
  if (content !== null) writeFileSync(join(folder, 'a'), content);
  return folder;
}

const installed = folderWith('installed', 'right');
const kept = folderWith('kept', 'right');
const other = folderWith('other', 'wrong');
const empty = folderWith('empty', null);

describe('the folders with dumps', () => {
  it('are the installed package and the cache of the user', () => {
    const found = findDumpFolders({ XDG_CACHE_HOME: '/caches' });
    expect(found.installed).toMatch(/ephemeral-validator\/bin\/local-dumps$/);
    expect(found.cache).toBe('/caches/spl-private-payments/ephemeral-validator-0.8.3');
  });

  it('are in the home folder if no cache folder is set, or one that is not absolute', () => {
    const own = process.platform === 'darwin' ? 'Library/Caches' : '.cache';
    const below = (home: string): string => join(home, own, 'spl-private-payments/ephemeral-validator-0.8.3');
    expect(findDumpFolders({ HOME: '/home/a' }).cache).toBe(below('/home/a'));
    expect(findDumpFolders({ HOME: '/home/a', XDG_CACHE_HOME: 'caches' }).cache).toBe(below('/home/a'));
    const known = below(userInfo().homedir);
    expect([{}, { HOME: '' }, { HOME: 'a' }].map((env) => findDumpFolders(env).cache)).toEqual([
      known,
      known,
      known,
    ]);
  });

  it('are searched in that order, and dumps with another hash are skipped', () => {
    const text = (folders: { installed: string | null; cache: string }): string | null => {
      const bytes = findDump('a', folders, source);
      return bytes && Buffer.from(bytes).toString();
    };
    expect(text({ installed, cache: empty })).toBe('right');
    expect(text({ installed: other, cache: kept })).toBe('right');
    expect(text({ installed: null, cache: kept })).toBe('right');
    expect(text({ installed: null, cache: other })).toBeNull();
    expect(text({ installed: other, cache: empty })).toBeNull();
    expect(text({ installed: null, cache: join(root, 'none') })).toBeNull();
  });

  it('contain no dump without a known hash', () => {
    writeFileSync(join(kept, 'b'), 'b');
    expect(findDump('b', { installed: null, cache: kept }, source)).toBeNull();
  });
});
