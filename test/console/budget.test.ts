import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { assertProjectBuilt } from '../built.ts';

const FOLDER = fileURLToPath(new URL('../../dist/console', import.meta.url));

assertProjectBuilt();
const shell = readFileSync(join(FOLDER, 'index.html'), 'utf8');

/** The files that the shell names. */
const named = [...shell.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, name = '']) => name);

const bytesOf = (name: string): number => statSync(join(FOLDER, name)).size;

describe('the page', () => {
  it('is at most 100 KB with all of its views in gzip, and smaller in brotli', () => {
    const names = ['index.html', ...named];
    const gzipped = names.reduce((sum, name) => sum + bytesOf(`${name}.gz`), 0);
    expect(gzipped).toBeLessThanOrEqual(100 * 1024);
    expect(names.filter((name) => bytesOf(`${name}.br`) > bytesOf(`${name}.gz`))).toEqual([]);
  });

  it('consists of a script and styles, each named by the hash of its content, and loads nothing from other places', () => {
    const urls = [...shell.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(urls.filter((url) => !url.startsWith('data:') && !url.startsWith('/console/assets/'))).toEqual([]);
    expect(named.map((name) => name.replace(/\.[0-9A-Z]{8}\./, '.HASH.')).toSorted()).toEqual([
      'assets/app.HASH.js',
      'assets/console.HASH.css',
    ]);
    const plain = readdirSync(join(FOLDER, 'assets')).filter((name) => /\.(js|css)$/.test(name));
    expect(plain.map((name) => `assets/${name}`).toSorted()).toEqual(named.toSorted());
  });

  it('has no inline script or style in its shell, so the content security policy needs no exception', () => {
    expect(shell).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
  });
});
