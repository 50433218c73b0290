/**
 * Measures a quiet client next to a hostile one: `npm run soak [-- MINUTES]`, 30 minutes by default. The
 * quiet client makes 20 calls per second, first alone, then during attacks. Prints latencies, failures,
 * memory and the longest stall of the event loop for each of ten phases.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { call, percentile, rpcText, toolCall } from './load.ts';
import { moveAside } from './processes.ts';
import { here, startStack } from './stack.ts';

const PHASES = 10;
const PACE_MS = 50;
const PATIENCE_MS = 10_000;
const WALLET = 'Aw9pz7J3aX5WgQoWvGYGK8PfXXNgTHutJ4i4z9MXj967';

const minutes = Number(process.argv[2] ?? 30);
if (!(minutes > 0)) throw new RangeError('usage: npm run soak [-- MINUTES]');

moveAside();
const stack = await startStack({ RATE_LIMIT_PER_SECOND: '500', CONNECTIONS_PER_ADDRESS: '768' });
const mcp = `http://127.0.0.1:${stack.servicePort}/mcp`;
const asks: readonly (readonly [url: string, body: string])[] = [
  [stack.ledgerUrl, rpcText('getBalance', [WALLET])],
  [mcp, toolCall('spl.getBalance', { address: WALLET, mint: USDC_MINT })],
  [stack.ledgerUrl, rpcText('getSlot')],
];

/** Makes one call at a time, at a steady pace. */
async function askQuietly(forMs: number): Promise<{ latenciesMs: number[]; failures: number }> {
  const latenciesMs: number[] = [];
  let failures = 0;
  const endMs = performance.now() + forMs;
  for (let turn = 0; performance.now() < endMs; turn++) {
    const [url, body] = asks[turn % asks.length] ?? ['', ''];
    const startMs = performance.now();
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const headers = { 'content-type': 'application/json' };
    const text = await fetch(url, { method: 'POST', headers, body, signal }).then(
      (answer) => (answer.ok ? answer.text() : ''),
      () => '',
    );
    if (!text.includes('"result"')) failures++;
    latenciesMs.push(performance.now() - startMs);
    await sleep(Math.max(0, startMs + PACE_MS - performance.now()));
  }
  return { latenciesMs, failures };
}

/** The longest stall since the last read, ms; NaN if the metrics cannot be read. */
async function readStallMs(): Promise<number> {
  const text = await fetch(`${stack.ledgerUrl}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );
  return Number(/^nodejs_eventloop_delay_seconds\{quantile="1"\} (\S+)/m.exec(text)?.[1]) * 1_000;
}

await call(stack.ledgerUrl, 'getHealth');
console.log('| phase | calls | failures | p50 ms | p99 ms | worst ms | resident MiB | stall ms |');
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
let hostile: ReturnType<typeof fork> | undefined;
let failed = 0;
for (let phase = 0; phase < PHASES; phase++) {
  if (phase === 1) {
    const ports = [stack.servicePort, stack.ledgerPort].map(String);
    hostile = fork(here('hostile.ts'), ports, { execArgv: ['--import', 'tsx'] });
  }
  const { latenciesMs, failures } = await askQuietly((minutes * 60_000) / PHASES);
  if (hostile !== undefined && hostile.exitCode !== null) throw new Error('the hostile client ended early');
  failed += failures;
  const figures = [
    phase === 0 ? 'alone' : `next to a hostile client, ${phase}`,
    latenciesMs.length,
    failures,
    ...[0.5, 0.99, 1].map((share) => percentile(latenciesMs, share).toFixed(1)),
    stack.server.residentMiB().toFixed(0),
    (await readStallMs()).toFixed(0),
  ];
  console.log(`| ${figures.join(' | ')} |`);
}
if (hostile !== undefined) {
  hostile.send('report');
  console.log(`\nWhat the hostile client did: ${JSON.stringify((await once(hostile, 'message'))[0])}`);
  hostile.disconnect();
}
process.exit(failed === 0 ? 0 : 1);
