/**
 * Runs the official MCP conformance suite (npm @modelcontextprotocol/conformance) and exits 0 if every scenario that
 * applies passes. Needs `npm run build` before and the npm registry at the first run.
 *
 *   node scripts/conformance.mjs              starts `dist/cli/main.js` on free ports and examines it
 *   node scripts/conformance.mjs --url URL    examines the MCP endpoint at URL, which must name a loopback host
 *
 * Three runs. The first examines the product. The suite calls tools of its own to look into tool results, which the
 * product does not have; the second run examines our endpoint with these tools in place of the payments. The third
 * does the same for MCP 2026-07-28. The baselines in test/conformance/ list the scenarios that cannot apply, each with
 * its reason; one that passes nevertheless is an error too.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startFixtureService } from './conformance-fixtures.mjs';
import { findFreePort } from './free-port.mjs';

const SUITE = '@modelcontextprotocol/conformance';

/** The last release that runs on Node 20 as it is, and the one that knows MCP 2026-07-28. */
const LEGACY_SUITE = `${SUITE}@0.1.13`;
const MODERN_SUITE = `${SUITE}@0.2.0-alpha.12`;

const READY_TIMEOUT_MS = 10_000;

function pathTo(relative) {
  return fileURLToPath(new URL(`../${relative}`, import.meta.url));
}

/** Runs one suite against `url`; true if it went as the baseline says. */
async function examine({ title, suite, url, args, baseline, nodeOptions = '' }) {
  console.log(`\n##### ${title}\n`);
  const suiteArgs = [
    'server',
    '--url',
    url,
    ...args,
    '--expected-failures',
    pathTo(`test/conformance/${baseline}`),
  ];
  const run = spawn('npx', ['--yes', suite, ...suiteArgs], {
    stdio: 'inherit',
    env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${nodeOptions}`.trim() },
  });
  const [code] = await once(run, 'exit');
  return code === 0;
}

/** Starts the built product with a data folder of its own. */
async function startProduct() {
  const dataDir = await mkdtemp(join(tmpdir(), 'spl-private-payments-conformance-'));
  const port = await findFreePort();
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    LEDGER_RPC_PORT: String(await findFreePort()),
    ROLLUP_RPC_PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
  };
  const product = spawn(process.execPath, [pathTo('dist/cli/main.js')], {
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
  const outcomes = [
    await examine({
      title: 'The product, MCP 2025-11-25',
      suite: LEGACY_SUITE,
      url: product.url,
      args: ['--suite', 'all'],
      baseline: 'baseline-product.yml',
    }),
    await examine({
      title: "The endpoint with the suite's own tools, MCP 2025-11-25",
      suite: LEGACY_SUITE,
      url: fixtures.url,
      args: ['--suite', 'all'],
      baseline: 'baseline-endpoint.yml',
    }),
    await examine({
      title: "The endpoint with the suite's own tools, MCP 2026-07-28",
      suite: MODERN_SUITE,
      url: fixtures.url,
      args: ['--requirements', '2026-07-28'],
      baseline: 'baseline-2026-07-28.yml',
      nodeOptions: `--import ${new URL('conformance-node20.mjs', import.meta.url).href}`,
    }),
  ];
  process.exitCode = outcomes.every(Boolean) ? 0 : 1;
} finally {
  await fixtures.close();
  await product.close();
}
