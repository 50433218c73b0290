import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { assertProjectBuilt } from '../built.ts';

assertProjectBuilt();

describe.each([
  ['console', 100, ['assets/app.HASH.js', 'assets/console.HASH.css']],
  ['pay', 40, ['assets/pay.HASH.js', 'assets/styles.HASH.css']],
])('the page %s', (page, kilobytesMax, files) => {
  const folder = fileURLToPath(new URL(`../../dist/${page}`, import.meta.url));
  const shell = readFileSync(join(folder, 'index.html'), 'utf8');
  /** The files that the shell loads. */
  const named = [...shell.matchAll(/(?:src|href)="\/\w+\/([^"]+)"/g)].map(([, name = '']) => name);
  const bytesOf = (name: string): number => statSync(join(folder, name)).size;

  it(`is at most ${kilobytesMax} KB with all of its views in gzip, and smaller in brotli`, () => {
    const names = ['index.html', ...named];
    const gzipped = names.reduce((sum, name) => sum + bytesOf(`${name}.gz`), 0);
    expect(gzipped).toBeLessThanOrEqual(kilobytesMax * 1024);
    expect(names.filter((name) => bytesOf(`${name}.br`) > bytesOf(`${name}.gz`))).toEqual([]);
  });

  it('consists of a script and styles, each named by the hash of its content, and loads nothing from other places', () => {
    const urls = [...shell.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(urls.filter((url) => !url.startsWith('data:') && !url.startsWith(`/${page}/assets/`))).toEqual([]);
    expect(named.map((name) => name.replace(/\.[0-9A-Z]{8}\./, '.HASH.')).toSorted()).toEqual(files);
    const plain = readdirSync(join(folder, 'assets')).filter((name) => /\.(js|css)$/.test(name));
    expect(plain.map((name) => `assets/${name}`).toSorted()).toEqual(named.toSorted());
  });

  it('has no inline script or style in its shell, so the content security policy needs no exception', () => {
    expect(shell).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
  });
});
