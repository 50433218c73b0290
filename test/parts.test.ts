import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { areLibrariesInstalled, LIBRARIES_FOLDER } from './clients/installed.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The test files that there are. */
const files = ['console', 'src', 'test']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
  .filter((file) => areLibrariesInstalled || !file.startsWith(join(LIBRARIES_FOLDER, '/')))
  .toSorted();

/** The files that vitest runs in a mode. */
function listed(mode: string): string[] {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'list', '--filesOnly', '--json', '--mode', mode];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const rows: { readonly file: string }[] = JSON.parse(stdout);
  return rows.map(({ file }) => relative(ROOT, file)).toSorted();
}

it('test:unit and test:e2e together run every test file of npm test once, and whole processes in test:e2e', () => {
  const [unit, e2e] = [listed('unit'), listed('e2e')];
  expect(listed('test')).toEqual(files);
  expect([...unit, ...e2e].toSorted()).toEqual(files);
  expect(unit.length).toBeGreaterThan(0);
  expect(unit.filter((file) => !/^(src|console)[\\/]/.test(file))).toEqual([]);
});
