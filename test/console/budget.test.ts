import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { assertProjectBuilt } from '../built.ts';

const FOLDER = fileURLToPath(new URL('../../dist/console', import.meta.url));

interface Manifest {
  readonly shell: string;
  readonly files: Readonly<
    Record<string, { readonly type: string; readonly br: string; readonly gzip: string }>
  >;
}

assertProjectBuilt();
const manifest = JSON.parse(readFileSync(join(FOLDER, 'manifest.json'), 'utf8')) as Manifest;
const names = Object.keys(manifest.files);

const shell = readFileSync(join(FOLDER, manifest.shell), 'utf8');

/** The files that the shell names: what comes before the first view is complete. */
const first = [...shell.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, name = '']) => name);

/** Bytes of files as gzip sends them. */
const gzipped = (list: readonly string[]): number =>
  list.reduce((sum, name) => sum + statSync(join(FOLDER, manifest.files[name]?.gzip ?? '')).size, 0);

const endingIn = (list: readonly string[], ending: string): readonly string[] =>
  list.filter((name) => name.endsWith(ending));

describe('the page', () => {
  it('takes at most 8 KB of styles, 42 KB of script and 50 KB in all before its first view, as gzip sends them', () => {
    expect(first.length).toBeGreaterThanOrEqual(2);
    expect(gzipped(endingIn(first, '.css'))).toBeLessThanOrEqual(8 * 1024);
    expect(gzipped(endingIn(first, '.js'))).toBeLessThanOrEqual(42 * 1024);
    expect(gzipped([manifest.shell, ...first])).toBeLessThanOrEqual(50 * 1024);
  });

  it('takes at most 72 KB with all of its views', () => {
    expect(gzipped(names)).toBeLessThanOrEqual(72 * 1024);
  });

  it('is smaller still as brotli', () => {
    const larger = names.filter(
      (name) =>
        statSync(join(FOLDER, manifest.files[name]?.br ?? '')).size >
        statSync(join(FOLDER, manifest.files[name]?.gzip ?? '')).size,
    );
    expect(larger).toEqual([]);
  });

  it('names each asset by the hash of what is in it, and no file of another place', () => {
    const named = [...shell.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(named.filter((url) => !url.startsWith('data:') && !url.startsWith('/console/assets/'))).toEqual(
      [],
    );
    expect(first.filter((name) => !names.includes(name))).toEqual([]);
    expect(
      names.filter((name) => name !== manifest.shell && !/\.[0-9A-Za-z]{8}\.(js|css)$/.test(name)),
    ).toEqual([]);
  });

  it('has no script and no style in its shell, so that the content security policy needs no exception', () => {
    expect(shell).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
  });
});
