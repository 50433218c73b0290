/**
 * Runs the official MCP conformance suite (npm @modelcontextprotocol/conformance) and exits with 0 if every
 * scenario matches its baseline. Needs `npm run build`, and the npm registry on the first run.
 *
 * npx tsx scripts/conformance.mjs              starts `dist/bundle/main.js` on free ports and tests it npx
 * tsx scripts/conformance.mjs --url URL    tests the MCP endpoint at URL on a loopback host
 *
 * Tests two endpoints: the product, and the same endpoint with the tools that the suite calls. Three releases
 * of the suite test MCP 2025-11-25; the newest also tests MCP 2026-07-28. The baselines in test/conformance/
 * list expected failures with their reasons. An expected failure that passes is an error, too.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startFixtureService } from './conformance-fixtures.ts';
import { findFreePort } from './free-port.mjs';

const SUITE = '@modelcontextprotocol/conformance';

/** The tested endpoints. */
const ENDPOINTS = { product: 'The product', endpoint: "The endpoint with the suite's own tools" };

/** The runs of the suite: its release and the tested version of MCP. */
const RUNS = [
  { release: '0.1.13', version: '2025-11-25', args: ['--suite', 'all'] },
  { release: '0.1.16', version: '2025-11-25', args: ['--suite', 'all'] },
  { release: '0.2.0-alpha.12', version: '2025-11-25', args: ['--requirements', '2025-11-25'] },
  { release: '0.2.0-alpha.12', version: '2026-07-28', args: ['--requirements', '2026-07-28'] },
];

/** Makes releases from 0.1.14 on start on Node 20. */
const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${new URL('conformance-node20.mjs', import.meta.url).href}`;

const READY_TIMEOUT_MS = 10_000;

function pathTo(relative) {
  return fileURLToPath(new URL(`../${relative}`, import.meta.url));
}

/**
 * Runs one release of the suite against an endpoint. Returns whether it matches the baseline, and its
 * summary.
 */
async function examine({ release, version, args }, endpoint, url) {
  console.log(`\n##### ${ENDPOINTS[endpoint]}, MCP ${version}, suite ${release}\n`);
  const baseline = pathTo(`test/conformance/baseline-${endpoint}-${version}.yml`);
  const run = spawn(
    'npx',
    ['--yes', `${SUITE}@${release}`, 'server', '--url', url, ...args, '--expected-failures', baseline],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: NODE_OPTIONS.trim() } },
  );
  let total = 'no figures';
  for await (const line of createInterface({ input: run.stdout })) {
    console.log(line);
    if (line.startsWith('Total:')) total = line;
  }
  const code = run.exitCode ?? (await once(run, 'exit'))[0];
  return {
    isAsExpected: code === 0,
    words: `${ENDPOINTS[endpoint]}, MCP ${version}, suite ${release}: ${total}`,
  };
}

/** Starts the built product with a temporary data folder. */
async function startProduct() {
  const dataDir = await mkdtemp(join(tmpdir(), 'spl-private-payments-conformance-'));
  const port = await findFreePort();
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    LEDGER_RPC_PORT: '0',
    ROLLUP_RPC_PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
  };
  const product = spawn(process.execPath, [pathTo('dist/bundle/main.js')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(product, 'exit');
  const close = async () => {
    product.kill('SIGTERM');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await waitUntilHealthy(`http://127.0.0.1:${port}/health`, product);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}/mcp`, close };
}

async function waitUntilHealthy(url, product) {
  for (let waitedMs = 0; waitedMs < READY_TIMEOUT_MS; waitedMs += 100) {
    if (product.exitCode !== null) throw new Error(`the service exited with code ${product.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await delay(100);
  }
  throw new Error(`the service was not ready within ${READY_TIMEOUT_MS} ms`);
}

const { values } = parseArgs({ options: { url: { type: 'string' } } });
const product = values.url === undefined ? await startProduct() : { url: values.url, close: async () => {} };
const fixtures = await startFixtureService();
try {
  const outcomes = [];
  for (const run of RUNS) {
    outcomes.push(await examine(run, 'product', product.url), await examine(run, 'endpoint', fixtures.url));
  }
  console.log('\n##### In all\n');
  for (const { isAsExpected, words } of outcomes) {
    console.log(`${isAsExpected ? 'as expected' : 'NOT AS EXPECTED'}: ${words}`);
  }
  process.exitCode = outcomes.every(({ isAsExpected }) => isAsExpected) ? 0 : 1;
} finally {
  await fixtures.close();
  await product.close();
}
