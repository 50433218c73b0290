import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { areLibrariesInstalled, LIBRARIES_FOLDER } from './clients/installed.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The test files that there are. */
const files = ['src', 'test']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
  .filter((file) => areLibrariesInstalled || !file.startsWith(join(LIBRARIES_FOLDER, '/')))
  .toSorted();

/** The files that vitest runs, with the projects they are run in. */
function listed(): { readonly file: string; readonly project: string }[] {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'list', '--filesOnly', '--json'];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const rows: { readonly file: string; readonly projectName: string }[] = JSON.parse(stdout);
  return rows.map(({ file, projectName }) => ({ file: relative(ROOT, file), project: projectName }));
}

it('test:unit and test:e2e run every test file, each in one of the two, and whole processes in test:e2e', () => {
  const rows = listed();
  expect(rows.map(({ file }) => file).toSorted()).toEqual(files);
  const unit = rows.filter(({ project }) => project === 'unit');
  expect(unit.length).toBeGreaterThan(0);
  expect(unit.filter(({ file }) => !file.startsWith(join('src', '/')))).toEqual([]);
  expect(rows.filter(({ project }) => !['unit', 'e2e'].includes(project))).toEqual([]);
});
