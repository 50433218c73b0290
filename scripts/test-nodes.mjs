/**
 * Runs the unit tests and starts the packed tarball with every supported Node. Passes arguments on to vitest.
 * Prints one line for each Node, the skipped tests with their reasons, and vitest's output for failures.
 * First checks that every package supports the oldest Node in `engines`. Installs Node from npm into
 * NODES_FOLDER or the temporary folder.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const PACKED_INSTALL = join(ROOT, 'scripts', 'packed-install.mjs');
const SUMMARY_REPORTER = join(ROOT, 'scripts', 'summary-reporter.mjs');
const FOLDER = process.env['NODES_FOLDER'] || join(tmpdir(), 'spl-private-payments-nodes');

/** The oldest Node in `engines`. */
const { node: ENGINES } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).engines;
const FIRST = ENGINES.replace('>=', '');

/** The oldest supported version, and the latest of each later line. */
const VERSIONS = [FIRST, '22.23.3', '24.21.0', '26.10.0'];

const packageOf = (version) => `node-${process.platform}-${process.arch}@${version}`;

/** Installs a version and returns the folder with its binary. */
function install(version) {
  const folder = join(FOLDER, version);
  const bin = join(folder, 'node_modules', packageOf(version).split('@')[0], 'bin');
  if (existsSync(join(bin, 'node'))) return bin;
  // An interrupted installation must not look complete.
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const args = ['install', '--prefix', unfinished, ...options, packageOf(version)];
  const { status, output } = run('npm', args, process.env);
  if (status !== 0) throw new Error(`${output}\nnpm could not install Node ${version}`);
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return bin;
}

/** Runs a program and captures its output. */
function run(program, args, env) {
  const options = { cwd: ROOT, env, encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 };
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, options);
  if (error !== undefined) throw error;
  return { status: status ?? signal, output: `${stdout}${stderr}` };
}

/**
 * Runs the tests with a version and prints the result. Returns whether all passed. Failed files run once more
 * by themselves, because this run looks for differences between versions and the machine may be busy. `npm
 * test` has no retries.
 */
function test(version) {
  const bin = install(version);
  if (!starts(version, bin)) return false;
  const first = runTests(version, bin, ['--mode', 'unit', ...process.argv.slice(2)]);
  const { passes, failedFiles, brokenOffFiles } = first;
  if (brokenOffFiles.length > 0) {
    console.error(`Node ${version}: the process died that ran ${brokenOffFiles.join(', ')}`);
  }
  const again = [...failedFiles, ...brokenOffFiles];
  if (passes || again.length === 0) return passes;
  console.log(`Node ${version}: once more ${again.join(', ')}`);
  return runTests(version, bin, again).passes;
}

/** Packs the built project and returns the tarball. */
function pack() {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', FOLDER];
  const { status, output } = run('npm', [...args, '--loglevel=silent'], process.env);
  if (status !== 0) throw new Error(`${output}\nnpm could not pack the project`);
  return join(FOLDER, JSON.parse(output)[0].filename);
}

/** Returns whether the packed program starts with a version after an installation into an empty folder. */
function starts(version, bin) {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };
  const { status, output } = run(join(bin, 'node'), [PACKED_INSTALL, '--start', TARBALL], env);
  if (status !== 0) console.error(`${output}\nNode ${version} does not start what is packed.`);
  return status === 0;
}

/** Returns whether every dependency supports a version. Installs nothing. */
function allows(version) {
  const env = { ...process.env, PATH: `${install(version)}${delimiter}${process.env['PATH']}` };
  const args = ['ci', '--dry-run', '--engine-strict', '--omit=dev', '--ignore-scripts'];
  const { status, output } = run('npm', args, env);
  if (status !== 0) console.error(`${output}\nNode ${version} is not allowed by every package.`);
  return status === 0;
}

/** Runs vitest, prints the result in one line, and prints its output if a test failed. */
function runTests(version, bin, vitestArgs) {
  const summaryFile = join(FOLDER, `${version}.json`);
  rmSync(summaryFile, { force: true });
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    NO_COLOR: '1',
    TESTS_SUMMARY: summaryFile,
  };
  const args = ['run', '--reporter=minimal', `--reporter=${SUMMARY_REPORTER}`, ...vitestArgs];
  const startedAt = performance.now();
  const { status, output } = run(join(bin, 'node'), [VITEST, ...args], env);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  if (status !== 0) console.error(output);
  const summary = existsSync(summaryFile) ? JSON.parse(readFileSync(summaryFile, 'utf8')) : null;
  const passes = status === 0 && summary !== null;
  const line = summary === null ? 'no result' : inWords(summary);
  console.log(`Node ${version}: ${passes ? 'ok' : `ended with ${status}`}, ${seconds} s: ${line}`);
  return { passes, failedFiles: summary?.failedFiles ?? [], brokenOffFiles: summary?.brokenOffFiles ?? [] };
}

function inWords({ files, passed, failed, skipped }) {
  for (const { name, reason } of skipped) console.log(`  left out: ${name} (${reason})`);
  return `${passed} tests passed, ${failed} failed, ${skipped.length} left out, ${files} files`;
}

mkdirSync(FOLDER, { recursive: true });
if (!allows(FIRST)) process.exit(1);
const others = VERSIONS.filter((version) => `v${version}` !== process.version);
const TARBALL = pack();
const failed = others.filter((version) => {
  try {
    return !test(version);
  } catch (error) {
    console.error(`Node ${version}: ${error.message}`);
    return true;
  }
});
if (failed.length > 0) {
  console.error(`Not every test passes with Node ${failed.join(', ')}.`);
  process.exit(1);
}
console.log(`Every test that ran passes with Node ${others.join(', ')}.`);
