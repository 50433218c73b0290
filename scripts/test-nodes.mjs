/**
 * Runs the unit tests and one start of the packed tarball with every Node that is supported, of which `npm test`
 * has run all tests with the one at hand; arguments are passed on to vitest. Prints a line for each Node with what its run came to, each test that
 * was left out with the reason, and all that vitest says of those that failed. Before that, npm is asked
 * whether every package allows the first Node that `engines` does. The registry has the binaries as packages;
 * they are kept outside the project, in NODES_FOLDER or the temporary folder.
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

/** The first that `engines` allows. */
const { node: ENGINES } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).engines;
const FIRST = ENGINES.replace('>=', '');

/** The last of each line in the registry, and the first that is allowed. */
const VERSIONS = [FIRST, '22.23.3', '24.21.0', '26.10.0'];

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
  const args = ['install', '--prefix', unfinished, ...options, packageOf(version)];
  const { status, output } = run('npm', args, process.env);
  if (status !== 0) throw new Error(`${output}\nnpm could not install Node ${version}`);
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return bin;
}

/** Runs a program to its end; what it prints, on either stream, is kept. */
function run(program, args, env) {
  const options = { cwd: ROOT, env, encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 };
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, options);
  if (error !== undefined) throw error;
  return { status: status ?? signal, output: `${stdout}${stderr}` };
}

/**
 * Runs the tests with a version and tells what came of it; whether all that ran passed. Files in which a test failed,
 * or whose process died, are run once more by themselves, which is told: three more whole runs on a machine that may be busy are to show what
 * a version does otherwise, and `npm test` has no second try.
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

/** The tarball of the project as it is built. */
function pack() {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', FOLDER];
  const { status, output } = run('npm', [...args, '--loglevel=silent'], process.env);
  if (status !== 0) throw new Error(`${output}\nnpm could not pack the project`);
  return join(FOLDER, JSON.parse(output)[0].filename);
}

/** Whether the packed program, installed into an empty folder, starts with a version. */
function starts(version, bin) {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };
  const { status, output } = run(join(bin, 'node'), [PACKED_INSTALL, '--start', TARBALL], env);
  if (status !== 0) console.error(`${output}\nNode ${version} does not start what is packed.`);
  return status === 0;
}

/** Whether every package that is installed with the program allows a version too; nothing is installed. */
function allows(version) {
  const env = { ...process.env, PATH: `${install(version)}${delimiter}${process.env['PATH']}` };
  const args = ['ci', '--dry-run', '--engine-strict', '--omit=dev', '--ignore-scripts'];
  const { status, output } = run('npm', args, env);
  if (status !== 0) console.error(`${output}\nNode ${version} is not allowed by every package.`);
  return status === 0;
}

/** Runs vitest with arguments of its own, tells the result in a line, and what it printed where a test failed. */
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
