import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const NOTICES = readFileSync(new URL('../../THIRD-PARTY-NOTICES', import.meta.url), 'utf8');

/** What `node scripts/third-party-notices.mjs` writes about packages: name, version, license. */
const TITLES = [...NOTICES.matchAll(/^-{80}\n(\S+) (\S+) \((.+)\)$/gm)];

it('THIRD-PARTY-NOTICES matches the lock file and the packages', () => {
  const { status, stderr } = spawnSync('node', ['scripts/third-party-notices.mjs', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

it('THIRD-PARTY-NOTICES lists every dependency with its version, and only permissive licenses', () => {
  const versions = new Map(TITLES.map(([, name, version]) => [name, version]));
  const dependencies = { ...manifest.dependencies, ...manifest.optionalDependencies };
  for (const [name, version] of Object.entries(dependencies)) expect(versions.get(name), name).toBe(version);
  expect(new Set(TITLES.map(([, , , license]) => license))).toEqual(
    new Set(['MIT', 'ISC', 'Apache-2.0', 'Unlicense']),
  );
});

it('the tarball has notices for the packages of its pages only: its bundles leave other packages where npm installs them', () => {
  const bundling = readFileSync(new URL('../../scripts/bundle.mjs', import.meta.url), 'utf8');
  expect(bundling).toContain("packages: 'external'");
  const ofPage = readdirSync(new URL('../../console', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !file.startsWith('testing'))
    .flatMap((file) => {
      const text = readFileSync(new URL(`../../console/${file}`, import.meta.url), 'utf8');
      return Array.from(text.matchAll(/from '([^./'][^/']*)/g), ([, name = '']) => name);
    });
  expect(new Set(ofPage)).toEqual(new Set(['preact', 'uqr']));
  expect(TITLES.map(([, name]) => name)).toEqual(expect.arrayContaining(['preact', 'uqr']));
  expect(manifest.files).toContain('THIRD-PARTY-NOTICES');
});
