/**
 * Tests the examples in the documents with the tarball, in new folders that have only the packages they
 * install. Compiles them in the strictest mode, runs them, and compares their output with the document.
 * Prints durations.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { arch, platform } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Debian's two packages of Chromium. `.ci/run` installs one of them. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'].find((path) => existsSync(path));
/** Maximum size of a page with the client and kit's signers, in bytes after gzip. */
const PAGE_GZIP_BYTES_MAX = 16_000;
const PAGE_MS_MAX = 60_000;
/** Other runtimes. Their packages contain the binary, so no install script has to run. */
const RUNTIMES = {
  bun: { packages: { 'linux-x64': '@oven/bun-linux-x64@1.4.5' }, bin: 'bin/bun', args: [] },
  deno: {
    packages: { 'linux-x64': '@deno/linux-x64-glibc@2.9.6' },
    bin: 'deno',
    args: ['run', '--allow-net', '--no-prompt'],
  },
};

const run = promisify(execFile);
const read = (...path) => readFileSync(join(ROOT, ...path), 'utf8');
/** The installed version of a package. */
export const versionOf = (name) => JSON.parse(read('node_modules', name, 'package.json')).version;
const inKb = (bytes) => `${(bytes / 1e3).toFixed(1)} KB`;

/** Returns a test file from docs/testing.md. */
function shownTest(name) {
  const blocks = read('docs', 'testing.md').matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms);
  const code = new Map(Array.from(blocks, ([, file, text]) => [file, text])).get(name);
  if (code === undefined) throw new Error(`docs/testing.md shows no ${name}`);
  return code;
}

/** Returns the program in a section of docs/client.md, with its output. */
function shownProgram(title) {
  const section = read('docs', 'client.md')
    .split('\n## ')
    .find((each) => each.startsWith(`${title}\n`));
  const found = /^```ts\n(.*?)^```\n\n```\n(.*?)^```$/ms.exec(section ?? '');
  if (found === null) throw new Error(`docs/client.md shows no program under ${title}`);
  return { code: found[1], shown: found[2] };
}

/** Creates a folder with only these packages from npm. */
function newProject(parent, packages) {
  const home = mkdtempSync(join(parent, 'project-'));
  writeFileSync(join(home, 'package.json'), '{"private":true,"type":"module"}');
  const flags = ['--loglevel=error', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...flags, ...packages], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return home;
}

/** Compiles a file with the types of its platform only. A page has no Node types. */
function compile(home, file) {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,esnext.disposable'];
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  // The declarations of kit and Vitest are not checked.
  const others = ['--skipLibCheck', '--types', '', '--noEmit'];
  execFileSync(process.execPath, [compiler, ...strict, ...target, ...others, file], {
    cwd: home,
    stdio: 'inherit',
  });
}

async function timed(what, act) {
  const began = performance.now();
  const result = await act();
  console.log(`${what} took ${Math.round(performance.now() - began)} ms.`);
  return result;
}

function assertPrinted(what, printed, shown) {
  if (printed !== shown) throw new Error(`${what} printed:\n${printed}`);
}

/** Runs the test files of docs/testing.md, on both layouts if the programs of layout B are available. */
export async function tryTests(folder, tarball, { env, programs }) {
  const home = newProject(folder, [tarball, `vitest@${versionOf('vitest')}`]);
  for (const name of ['payment.test.ts', 'payment-b.test.ts']) {
    if (name === 'payment-b.test.ts' && programs === null) {
      console.log(`${name} is left out: LOCALNET_PROGRAMS names no folder with the programs of layout B.`);
      continue;
    }
    writeFileSync(join(home, name), shownTest(name).replace('./programs', programs ?? ''));
    compile(home, name);
    await timed(`${name} of the document, with Vitest around it,`, () =>
      run(join(home, 'node_modules', '.bin', 'vitest'), ['run', '--testTimeout=120000', name], {
        cwd: home,
        env,
      }),
    );
  }
}

/** Runs the client's example in other runtimes that have a package for this machine. */
export async function tryRuntimes(folder, tarball, urls) {
  const { code, shown } = shownProgram('The client');
  for (const [name, { packages, bin, args }] of Object.entries(RUNTIMES)) {
    const source = packages[`${platform()}-${arch()}`];
    if (source === undefined) {
      console.log(
        `The client is not tried in ${name}: no package of it for ${platform()}-${arch()} is named here.`,
      );
      continue;
    }
    const home = newProject(folder, [tarball, source]);
    writeFileSync(join(home, 'client.ts'), at(code, urls));
    const program = join(home, 'node_modules', source.slice(0, source.lastIndexOf('@')), bin);
    const { stdout } = await timed(`The client in ${source}`, () =>
      run(program, [...args, 'client.ts'], { cwd: home, env: { PATH: process.env.PATH, NO_COLOR: '1' } }),
    );
    assertPrinted(`the client in ${name}`, stdout, shown);
  }
}

/** Builds the page of docs/client.md with Vite and opens it in a browser. */
export async function tryPage(folder, tarball, urls) {
  const { code, shown } = shownProgram('In a page');
  const home = newProject(folder, [
    tarball,
    `@solana/kit@${versionOf('@solana/kit')}`,
    `vite@${versionOf('vite')}`,
  ]);
  writeFileSync(join(home, 'index.html'), '<script type="module" src="/main.ts"></script>\n');
  writeFileSync(join(home, 'main.ts'), at(code, urls));
  compile(home, 'main.ts');
  execFileSync(join(home, 'node_modules', '.bin', 'vite'), ['build', '--logLevel', 'warn'], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  measurePage(join(home, 'dist'));
  if (CHROMIUM === undefined) {
    console.log('The page is not opened: there is no Chromium of Debian.');
    return;
  }
  assertPrinted('the page', await openPage(join(home, 'dist'), shown.split('\n').length - 1), shown);
}

/** Replaces the default URLs in a program. */
const at = (code, { service, base }) =>
  code.replaceAll('http://127.0.0.1:8787', service).replaceAll('http://127.0.0.1:8899', base);

function measurePage(dist) {
  const scripts = readdirSync(dist, { recursive: true }).filter((name) => extname(name) === '.js');
  let bytes = 0;
  let packed = 0;
  for (const name of scripts) {
    bytes += statSync(join(dist, name)).size;
    packed += gzipSync(readFileSync(join(dist, name)), { level: 9 }).length;
  }
  console.log(`The page with the client and kit's signers is ${inKb(bytes)}, ${inKb(packed)} after gzip.`);
  if (packed > PAGE_GZIP_BYTES_MAX) throw new Error(`that is more than ${inKb(PAGE_GZIP_BYTES_MAX)}`);
}

/** Opens a built page. Resolves with its output after the expected number of lines. */
async function openPage(dist, lines) {
  const server = createServer((request, response) => {
    const file = join(dist, request.url === '/' ? 'index.html' : new URL(request.url, 'http://x').pathname);
    const type = extname(file) === '.js' ? 'text/javascript' : 'text/html';
    response.writeHead(existsSync(file) ? 200 : 404, { 'content-type': type });
    response.end(existsSync(file) ? readFileSync(file) : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
  });
  try {
    const page = await browser.newPage();
    const printed = [];
    const done = new Promise((resolve, reject) => {
      page.on('pageerror', reject);
      page.on('console', (message) => {
        // Ignores the browser's error about a missing icon.
        if (message.type() !== 'log') return;
        printed.push(message.text());
        if (printed.length === lines) resolve();
      });
      setTimeout(
        () => reject(new Error(`the page printed no more than: ${printed.join('\n')}`)),
        PAGE_MS_MAX,
      ).unref();
    });
    await timed('The page in Chromium', async () => {
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      await done;
    });
    return `${printed.join('\n')}\n`;
  } finally {
    await browser.close();
    server.close();
  }
}
