/**
 * What a quiet client meets beside a hostile one: `tsx bench/soak/hostile-soak.ts [minutes] [seed]`, 30
 * minutes when left out. Starts the built program on free ports; the quiet client asks one thing at a time,
 * first alone for a minute (or half the time, where that is less), then beside a process that does what it
 * can. Prints latencies, memory and the event loop's worst stall. The ledger has a hundred thousand accounts.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { childOf } from '../../test/stack-process.ts';
import { call } from '../call.ts';
import { fillLedger, FILLED } from '../ledger/filled-ledger.ts';
import { memoryOf } from '../memory.ts';
import { inScope } from '../scope.ts';
import { here, startStack, type Stack } from '../stack.ts';
import { markdown } from '../table.ts';
import { newWallet } from '../wallet.ts';

const [minutes = '30', seed = 'soak'] = process.argv.slice(2);
const SOAK_MS = Number(minutes) * 60_000;
const ALONE_MS = Math.min(60_000, SOAK_MS / 2);
const PACE_MS = 50;
/** What one address may ask for; the hostile client has one, and asks for more. */
const REQUESTS_PER_SECOND = 500;
const PATIENCE_MS = 10_000;
const SAMPLE_MS = 2_000;
const MB = 1_000_000;

interface Phase {
  readonly name: string;
  readonly latenciesMs: number[];
  failures: number;
  readonly residentBytes: number[];
  worstStallMs: number;
}

/** Asks one thing at a time, at a steady pace, for so long. */
async function askQuietly({ serviceUrl, ledgerUrl }: Stack, phase: Phase, forMs: number): Promise<void> {
  const wallet = newWallet();
  const asks = [
    () => call(ledgerUrl, 'getBalance', [wallet]),
    async () => {
      const url = `${serviceUrl}/v1/spl/balance?address=${wallet}&mint=${USDC_MINT}`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (!answer.ok) throw new Error(String(answer.status));
      await answer.text();
    },
    () => call(ledgerUrl, 'getSlot'),
  ];
  const endMs = performance.now() + forMs;
  for (let turn = 0; performance.now() < endMs; turn++) {
    const startMs = performance.now();
    await (asks[turn % asks.length] as () => Promise<unknown>)().catch(() => phase.failures++);
    phase.latenciesMs.push(performance.now() - startMs);
    await sleep(Math.max(0, startMs + PACE_MS - performance.now()));
  }
}

/** Looks at the process that serves until `stopping`. */
async function watch(stack: Stack, phase: Phase, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const pid = childOf(stack.pid);
    if (pid !== undefined) phase.residentBytes.push(memoryOf(pid).resident);
    // The figures are those since they were read last.
    const text = await fetch(`${stack.ledgerUrl}/metrics`).then(
      (answer) => answer.text(),
      () => '',
    );
    const stall = /^nodejs_eventloop_delay_seconds\{quantile="1"\} (\S+)/m.exec(text)?.[1];
    phase.worstStallMs = Math.max(phase.worstStallMs, Number(stall ?? 0) * 1_000);
    await sleep(SAMPLE_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}

async function measure(stack: Stack, name: string, forMs: number): Promise<Phase> {
  const phase: Phase = { name, latenciesMs: [], failures: 0, residentBytes: [], worstStallMs: 0 };
  const stopping = new AbortController();
  const watching = watch(stack, phase, stopping.signal);
  await askQuietly(stack, phase, forMs);
  stopping.abort();
  await watching;
  return phase;
}

function toRow({ name, latenciesMs, failures, residentBytes, worstStallMs }: Phase): Record<string, string> {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const quantile = (part: number): string =>
    (sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN).toFixed(1);
  const megabytes = (bytes: number | undefined): string => ((bytes ?? Number.NaN) / MB).toFixed(0);
  return {
    'quiet client': name,
    calls: String(sorted.length),
    failures: String(failures),
    'p50 ms': quantile(0.5),
    'p99 ms': quantile(0.99),
    'worst ms': quantile(1),
    'resident MB at first': megabytes(residentBytes[0]),
    most: megabytes(Math.max(...residentBytes)),
    'at last': megabytes(residentBytes.at(-1)),
    'worst stall ms': worstStallMs.toFixed(0),
  };
}

await inScope(async ({ keep, folder }) => {
  const path = await folder();
  cpSync(fillLedger().folder, path, { recursive: true });
  const limits = { CONNECTIONS_PER_ADDRESS: '768', RATE_LIMIT_PER_SECOND: String(REQUESTS_PER_SECOND) };
  const stack = keep(await startStack(path, limits, []));
  const alone = await measure(stack, 'alone', ALONE_MS);
  const args = [stack.serviceUrl, stack.ledgerUrl, seed];
  const hostile = fork(here('soak/hostile.ts'), args, { execArgv: ['--import', 'tsx'] });
  // Without it the quiet client would be measured alone for the whole time.
  const ended = once(hostile, 'exit').then(([code]) => {
    throw new Error(`the hostile client ended with ${code} before it was told to`);
  });
  const beside = await Promise.race([measure(stack, 'beside a hostile one', SOAK_MS - ALONE_MS), ended]);
  ended.catch(() => undefined);
  hostile.send('over');
  const [counts] = (await once(hostile, 'message')) as [Record<string, number>];
  console.log(
    `Seed ${seed}, ${minutes} minutes, ${FILLED.accounts} accounts at first.\n\n${markdown([alone, beside].map(toRow))}\n`,
  );
  console.log(`What the hostile client did: ${JSON.stringify(counts)}`);
});
process.exit();
