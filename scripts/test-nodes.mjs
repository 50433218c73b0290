/**
 * Runs the tests with every Node that is supported, of which `npm test` has run them with the one at hand; arguments are
 * passed on to vitest. The registry has the binaries as packages; they are kept outside the project, in NODES_FOLDER or
 * the temporary folder.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const FOLDER = process.env['NODES_FOLDER'] || join(tmpdir(), 'spl-private-payments-nodes');

/** The last of each line in the registry, and the first that `engines` allows. */
const VERSIONS = ['20.18.0', '22.23.3', '24.21.0', '26.10.0'];

const packageOf = (version) => `node-${process.platform}-${process.arch}@${version}`;

/** The folder with the binary of a version. */
function install(version) {
  const folder = join(FOLDER, version);
  const bin = join(folder, 'node_modules', packageOf(version).split('@')[0], 'bin');
  if (existsSync(join(bin, 'node'))) return bin;
  // An install that is broken off leaves nothing that looks like one.
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  run('npm', ['install', '--prefix', unfinished, ...options, packageOf(version)], process.env);
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return bin;
}

function run(program, args, env) {
  const { status, signal, error } = spawnSync(program, args, { cwd: ROOT, env, stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args[0]} ended with ${signal ?? status}`);
}

const failed = VERSIONS.filter((version) => {
  if (`v${version}` === process.version) return false;
  console.log(`\nNode ${version}`);
  try {
    const bin = install(version);
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };
    run(join(bin, 'node'), [VITEST, 'run', ...process.argv.slice(2)], env);
    return false;
  } catch (error) {
    console.error(`${error.message}, with Node ${version}`);
    return true;
  }
});
if (failed.length > 0) {
  console.error(`\nNot every test passes with Node ${failed.join(', ')}.`);
  process.exit(1);
}
