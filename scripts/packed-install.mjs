/**
 * Tests what users install. Packs a clean copy of the files under version control, installs the tarball into
 * an empty folder without overrides, and measures it. Starts the program without a registry, with it, and
 * without it again. Then tests the examples in the documents (packed-examples.mjs). `--start TARBALL` only
 * starts that tarball. Needs the development packages and the registry.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from './free-port.mjs';
import { npmAt, OLDEST_NPM } from './older-npm.mjs';
import { tryPage, tryRuntimes, tryTests, versionOf } from './packed-examples.mjs';
import { tryNpx } from './packed-npx.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const READY_MS_MAX = 120_000;
/** Maximum size of an installation in bytes, for its content and its disk blocks. */
const INSTALLED_BYTES_MAX = 80_000_000;
/** `EXIT_CODES.config` of the supervisor: an error that the operator can fix. */
const EXIT_CONFIG = 78;
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'packed', version: '1' } },
};

const folder = mkdtempSync(join(tmpdir(), 'spl-packed-'));

/** Packs a copy that has only the files under version control. */
function pack() {
  const clone = join(folder, 'clone');
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(ROOT, file), join(clone, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  npm(['pack', '--pack-destination', folder], clone);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack made no tarball');
  return join(folder, tarball);
}

/** Installs packages into a new folder and returns it. */
function install(name, packages, command = ['npm']) {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], home, command);
  return home;
}

function npm(args, cwd, [program, ...before] = ['npm']) {
  execFileSync(program, [...before, '--loglevel=error', ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/**
 * Tests the oldest supported npm, which resolves peers differently: with only the tarball, and with the
 * packages that the documents name. The other packages come from the cache, or are only resolved.
 */
function assertOldestInstalls(tarball) {
  const command = npmAt(OLDEST_NPM);
  install('oldest-npm', ['--prefer-offline', tarball], command);
  for (const name of ['@solana/kit', 'vitest', 'vite']) {
    const beside = `${name}@${versionOf(name)}`;
    install(`oldest-npm-${basename(name)}`, ['--prefer-offline', '--dry-run', tarball, beside], command);
  }
  console.log(`npm ${OLDEST_NPM} installs it, too, also beside kit, Vitest and Vite.`);
}

/** Prints the size of the packages, and fails if it is too large. */
function measure(home) {
  const modules = join(home, 'node_modules');
  const packages = new Map();
  let content = 0;
  let blocks = 0;
  for (const path of readdirSync(modules, { recursive: true })) {
    const stats = lstatSync(join(modules, path));
    blocks += stats.blocks * 512;
    if (!stats.isFile()) continue;
    content += stats.size;
    const [first, second] = path.split(sep);
    const name = first.startsWith('@') ? `${first}/${second}` : first;
    packages.set(name, (packages.get(name) ?? 0) + stats.size);
  }
  const largest = [...packages].sort(([, a], [, b]) => b - a).slice(0, 8);
  console.log(
    `The packed program installs ${inMb(content)} in ${packages.size} packages, ${inMb(blocks)} on the disk:`,
  );
  for (const [name, bytes] of largest) console.log(`  ${inMb(bytes).padStart(8)}  ${name}`);
  if (Math.max(content, blocks) >= INSTALLED_BYTES_MAX) {
    throw new Error(`that is not below ${inMb(INSTALLED_BYTES_MAX)}`);
  }
}

const inMb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** The URL of an unreachable registry. */
const closedRegistry = async () => `http://127.0.0.1:${await findFreePort()}/`;

const certificates = process.env.NODE_EXTRA_CA_CERTS;

let ledgers = 0;

/** Starts the installed program on a new ledger. Calls `onStdout` with the process and its output so far. */
async function run(home, args, { registry, env = {} }, onStdout = () => {}) {
  const bin = join(home, 'node_modules', '.bin', 'spl-private-payments');
  const ports = { PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' };
  const child = spawn(bin, [...args, '--ledger', join(folder, `ledger-${ledgers++}`)], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      // Some machines have additional certificates.
      ...(certificates !== undefined && { NODE_EXTRA_CA_CERTS: certificates }),
      XDG_CACHE_HOME: join(folder, 'cache'),
      npm_config_registry: registry,
      ...ports,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const overdue = setTimeout(() => child.kill('SIGKILL'), READY_MS_MAX);
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    onStdout(child, stdout);
  });
  if (args[0] === 'mcp') child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  const [code] = await once(child, 'close');
  clearTimeout(overdue);
  return { code, stdout, stderr };
}

/** Starts the program with HTTP and waits until it is ready. */
async function assertStarts(home, options, args = []) {
  let isReady = false;
  const { code, stderr } = await run(home, args, options, (child, stdout) => {
    if (isReady || !stdout.includes('Ready')) return;
    isReady = true;
    child.kill('SIGTERM');
  });
  if (code !== 0 || !isReady) throw new Error(`the packed program ended with ${code}: ${stderr}`);
  return stderr;
}

/** Starts the program with stdio, and checks that stdout has only the protocol. @returns its stderr */
async function assertSpeaks(home, options) {
  const { code, stdout, stderr } = await run(home, ['mcp'], options, (child) => child.stdin.end());
  const lines = stdout.split('\n').filter((line) => line !== '');
  const answers = code === 0 ? lines.map((line) => JSON.parse(line)) : [];
  if (answers.length !== 1 || answers[0].result?.serverInfo === undefined) {
    throw new Error(`the packed program over stdio ended with ${code}: ${stdout}${stderr}`);
  }
  return stderr;
}

async function assertRefuses(home, options) {
  const { code, stderr } = await run(home, [], options);
  if (
    code !== EXIT_CONFIG ||
    !/npm registry at \S+ cannot be reached \(ECONNREFUSED\)\..*npm install @/.test(stderr)
  ) {
    throw new Error(`the packed program ended with ${code}: ${stderr}`);
  }
}

/**
 * Tests the first program of docs/client.md in a folder that has only the tarball. Compiles it in the
 * strictest mode with browser types, and runs it against the packed program.
 */
async function assertClient(home, options) {
  const document = readFileSync(join(ROOT, 'docs', 'client.md'), 'utf8');
  const [, program, shown] = /^```ts\n(.*?)^```\n\n```\n(.*?)^```$/ms.exec(document);
  const compiled = join(home, 'client.mjs');
  await run(home, [], options, (child, stdout) => {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout)?.[0];
    if (existsSync(compiled) || url === undefined || !stdout.includes('Ready')) return;
    writeFileSync(join(home, 'client.mts'), program.replace('http://127.0.0.1:8787', url));
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom', '--types', ''];
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    execFileSync(process.execPath, [compiler, ...strict, ...target, 'client.mts'], {
      cwd: home,
      stdio: 'inherit',
    });
    const began = performance.now();
    const client = spawn(process.execPath, [compiled], { cwd: home, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    client.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
    client.once('close', () => {
      console.log(`The client of the tarball took ${Math.round(performance.now() - began)} ms.`);
      if (printed !== shown) process.exitCode = fail(`the client printed:\n${printed}`);
      child.kill('SIGTERM');
    });
  });
  if (!existsSync(compiled)) throw new Error('the client was not tried');
}

/** Calls `act` while the packed program is serving. */
async function whileServing(home, options, act) {
  let acting;
  const { code, stderr } = await run(home, [], options, (child, stdout) => {
    if (acting !== undefined || !stdout.includes('Ready')) return;
    const urlOf = (name) => new RegExp(`^ *${name} +(http://127\\.0\\.0\\.1:\\d+)`, 'm').exec(stdout)?.[1];
    const urls = { service: urlOf('Tool service'), base: urlOf('Ledger node') };
    acting = act(urls).finally(() => child.kill('SIGTERM'));
    // Awaited below.
    acting.catch(() => undefined);
  });
  if (acting === undefined) throw new Error(`the packed program ended with ${code}: ${stderr}`);
  await acting;
}

/** The folder with the programs of layout B; null if there is none. */
function layoutBFolder() {
  const named = process.env.LOCALNET_PROGRAMS ?? join(ROOT, '..', 'shared', 'programs');
  return existsSync(join(named, 'ephemeral_spl_token.so')) ? named : null;
}

function fail(message) {
  console.error(message);
  return 1;
}

/** Installs a tarball and starts it once, with the registry. */
async function tryStart(tarball) {
  const home = install('home', [tarball]);
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  await assertStarts(home, { registry });
}

async function tryEverything() {
  const tarball = pack();
  const home = install('home', [tarball]);
  measure(home);
  assertOldestInstalls(tarball);
  const without = { registry: await closedRegistry() };
  await assertRefuses(home, without);
  await assertStarts(home, { ...without, env: { ROLLUP: 'off' } }, ['--no-genesis-programs']);
  console.log('Without the registry it says what to do, and starts where it needs no programs.');
  const programs = layoutBFolder();
  if (programs === null)
    console.log('Skipped a start with a folder of programs: there is none (LOCALNET_PROGRAMS).');
  else {
    const told = await assertStarts(home, without, ['--programs', programs]);
    if (told.includes('fetching')) throw new Error(`it fetched although it had a folder: ${told}`);
    console.log('With a folder of programs it fetches nothing.');
  }
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const told = await Promise.all([assertStarts(home, { registry }), assertSpeaks(home, { registry })]);
  // Only the process that downloads first prints the license. The other may find the programs in the cache.
  if (!told.some((text) => text.includes('non-production use only'))) {
    throw new Error(`neither printed the license: ${told.join('')}`);
  }
  console.log('With the registry two of it start at once, one of them over stdio.');
  const later = await assertStarts(home, without);
  if (later.includes('fetching')) throw new Error(`it fetched once more: ${later}`);
  console.log('After that it starts without the registry.');
  await assertClient(home, without);
  await whileServing(home, without, async (urls) => {
    await tryRuntimes(folder, tarball, urls);
    await tryPage(folder, tarball, urls);
  });
  // The cache now contains the programs of layout A.
  const env = {
    PATH: process.env.PATH,
    XDG_CACHE_HOME: join(folder, 'cache'),
    npm_config_registry: without.registry,
  };
  await tryNpx(folder, home, { ...env, PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' });
  await tryTests(folder, tarball, { env, programs });
}

try {
  const [, , command, tarball] = process.argv;
  await (command === '--start' ? tryStart(tarball) : tryEverything());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
