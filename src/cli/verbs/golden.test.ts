import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { formatHelp } from '../help.ts';
import { type } from './testing/typed.ts';
import { VERBS } from './verb-table.ts';

/** Nothing listens there. */
const NOWHERE = ['--url', 'http://127.0.0.1:1', '--rollup', 'http://127.0.0.1:1'];
const SOMEBODY = 'Aw9pz7J3aX5WgQoWvGYGK8PfXXNgTHutJ4i4z9MXj967';

const folder = mkdtempSync(join(tmpdir(), 'golden-'));
const open = join(folder, 'open.json');
writeFileSync(open, '[]', { mode: 0o644 });
const short = join(folder, 'short.json');
writeFileSync(short, '[1,2,3]', { mode: 0o600 });
afterAll(() => rmSync(folder, { recursive: true }));

/** Failures that need no ledger, by command line. */
const FAILURES: readonly (readonly string[])[] = [
  ['frobnicate'],
  ['balanse'],
  ['constructor'],
  ['pay'],
  ['pay', SOMEBODY],
  ['pay', SOMEBODY, '1', '2'],
  ['balance', '--privat'],
  ['balance', SOMEBODY, '--mint'],
  ['balance', SOMEBODY, '--mint', SOMEBODY, '--mint', SOMEBODY],
  ['balance', SOMEBODY, 'more'],
  ['balance', 'nobody'],
  ['balance', SOMEBODY, ...NOWHERE],
  ['balance', SOMEBODY, '--url', 'mainnet'],
  ['balance', SOMEBODY, '--base', 'http://127.0.0.1:1'],
  ['balance', SOMEBODY, '--url', 'nowhere'],
  ['balance', SOMEBODY, '--url', 'http://user:p%zz@127.0.0.1:1'],
  ['balance', SOMEBODY, '--layout', 'c'],
  ['deposit', '1', '--yes', '--service', 'http://user:word@127.0.0.1:1'],
  ['balance', SOMEBODY, '--port-file', '/nowhere/ports.json'],
  ['wallet'],
  ['wallet', 'show', '-k', '/nowhere/id.json'],
  ['wallet', 'show', '-k', open],
  ['wallet', 'show', '-k', short],
  ['wallet', 'show', '-k', folder],
  ['wallet', 'new', '-k', open],
  ['wallet', 'new', '-k', join(open, 'id.json')],
  ['wallet', 'burn', '-k', open],
  ['deposit', '1', ...NOWHERE],
  ['deposit', '1', '--yes', '-k', '/nowhere/id.json', ...NOWHERE],
  ['explain', 'AAAA', ...NOWHERE],
  ['watch', 'nobody', ...NOWHERE],
  ['watch', SOMEBODY, '--count', 'all', ...NOWHERE],
  ['logs', 'nobody', ...NOWHERE],
  ['keys', 'show'],
  ['keys', 'create'],
  ['keys', 'create', '--name', 'spp_shop', '--data-dir', folder],
  ['keys', 'create', '--name', 'shop', '--scopes', 'spl:raed', '--data-dir', folder],
  ['keys', 'create', '--name', 'shop', '--scopes', 'everything', '--data-dir', folder],
  ['keys', 'create', '--name', 'shop', '--rate', '0', '--data-dir', folder],
  ['keys', 'list', '--data-dir', folder],
  ['completions', 'csh'],
];

const quoted = (word: string): string => (word === '' ? "''" : word);

/** As it looks in a terminal; the folder of this run is masked. */
async function shown(line: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await type(line);
  const typed = `$ spp ${line.map(quoted).join(' ')}`;
  return [typed, stdout + stderr, `(exit code ${code})`, ''].join('\n').replaceAll(folder, '<folder>');
}

it('every help text matches the recorded output', async () => {
  const helps = [formatHelp()];
  for (const name of Object.keys(VERBS)) helps.push((await type([name, '--help'])).stdout);
  await expect(helps.join(`\n${'-'.repeat(100)}\n\n`)).toMatchFileSnapshot('testing/golden/help.txt');
});

it('every failure matches the recorded output, with the same code under --json', async () => {
  const texts: string[] = [];
  for (const line of FAILURES) {
    texts.push(await shown(line), await shown([...line, '--json']));
    const [plain, json] = [await type(line), await type([...line, '--json'])];
    const { error } = JSON.parse(json.stderr) as { error: { code: string; exitCode: number } };
    expect([json.code, json.stdout, plain.stdout]).toEqual([plain.code, '', '']);
    expect(error.exitCode).toBe(plain.code);
    expect(plain.stderr).toContain(`(${error.code})`);
  }
  await expect(texts.join('\n')).toMatchFileSnapshot('testing/golden/failures.txt');
});
