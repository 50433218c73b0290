/**
 * Checks whether this commit can be published under a tag: `node scripts/check-release.mjs <tag> <repository
 * URL>`. Exits with 1 and prints a line for each problem.
 */
import { readFileSync } from 'node:fs';

const read = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));

const [tag = '', repository = ''] = process.argv.slice(2);
const manifest = read('package.json');
const lock = read('package-lock.json');
const server = read('server.json');
const info = readFileSync(new URL('../src/service/server-info.ts', import.meta.url), 'utf8');

const versions = {
  'the tag': tag.replace(/^v/, ''),
  'package-lock.json': lock.version,
  'server.json': server.version,
  ...Object.fromEntries(server.packages.map(({ version }, at) => [`package ${at} of server.json`, version])),
  'src/service/server-info.ts': /version: '([^']+)'/.exec(info)?.[1],
};

const faults = Object.entries(versions)
  .filter(([, version]) => version !== manifest.version)
  .map(([place, version]) => `${place} says version ${version}, package.json ${manifest.version}`);

// npm rejects a provenance if its repository differs from package.json (npm docs, "Generating provenance").
const named = manifest.repository?.url ?? manifest.repository;
const plain = (url) => url?.replace(/^git\+/, '').replace(/\.git$/, '');
if (plain(named) !== repository) {
  faults.push(`package.json has to name the repository ${repository} ("repository"), not ${named ?? 'none'}`);
}

for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
