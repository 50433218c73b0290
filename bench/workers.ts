import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Address } from '../src/solana/address.ts';
import { call } from './call.ts';
import { cases, depositRequest, prepareWorkload } from './cases.ts';
import { inScope, type Scope } from './scope.ts';
import type { Findings, Section, Settings } from './section.ts';
import { comeBack, cpuMsOf, moveAside, onAnyCore, startServer } from './server-process.ts';
import { addressIn, here, MAIN, portOf, readyPort, stackEnv } from './stack.ts';
import { median } from './statistics.ts';
import { markdown, ratio } from './table.ts';
import { prepareCrowd } from './crowd.ts';

/** As many for each of two workers as the other sections have for one process. */
const CONNECTIONS = 64;

/** Numbers of workers that are compared. */
const COUNTS = [1, 2] as const;

const HOW_TO_READ =
  'CPU time is that of all processes of the program, for one request. Two cores full of it: how many more requests two cores take with two workers than one core does with one, by that CPU time. As measured: requests a second, where the load generator shares the two cores with all of it, and its own CPU time for a request is given. Wallets never seen: 20,000 that hold SOL and USDC, each of which has its turn once in a round, so that what a deposit needs has to be asked of the process of the ledger.';

const DEPOSIT = 'tools/call spl.deposit';
const UNSEEN_DEPOSIT = `${DEPOSIT}, wallets never seen`;

/** What is measured, by the names of the cases of requests, and what a right answer has in it. */
const ROWS = [
  { name: DEPOSIT, mark: '"transactionBase64":"AQAA' },
  { name: UNSEEN_DEPOSIT, mark: '"transactionBase64":"AQAA' },
  { name: 'POST /v1/spl/deposit', mark: '"transactionBase64":"AQAA' },
  { name: 'tools/call spl.transfer, private, one read upstream', mark: '"transactionBase64":"AQAA' },
  { name: 'tools/list', mark: '"tools":[' },
] as const;

/** The program with so many workers, on any core. */
interface Served {
  readonly workers: number;
  readonly child: ChildProcess;
  readonly serviceUrl: string;
  readonly ledgerUrl: string;
  readonly startMs: number;
  /** Wallets of its ledger of which a worker has nothing in mind when their turn comes. */
  readonly crowd: readonly Address[];
}

interface Load {
  readonly path: string;
  readonly bodies: readonly string[];
  readonly mark: string;
}

/** What one round of load came to. */
interface Round {
  readonly perSecond: number;
  /** CPU time of all processes of the program for one request. */
  readonly cpuMicros: number;
  /** That of the load generator. */
  readonly loadMicros: number;
}

/** What a second process of the tool service brings. */
export const workers: Section = {
  name: 'workers',
  title: 'The tool service in one process and in two',
  run: (settings) =>
    inScope(async (scope) => {
      comeBack();
      try {
        return await measure(scope, settings);
      } finally {
        moveAside();
      }
    }),
};

async function measure({ keep, folder }: Scope, settings: Settings): Promise<Findings> {
  const upstream = keep(await startServer([here('upstream-server.mjs')], /ready \d+/));
  const upstreamUrl = `http://127.0.0.1:${readyPort(upstream)}/`;
  const generator = fork(here('light-load.mjs'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  keep({ stop: () => generator.kill() });
  const served: Served[] = [];
  for (const count of COUNTS) {
    const one = await start(count, await folder(), upstreamUrl);
    keep({ stop: () => end(one.child) });
    served.push(one);
  }
  const measured = new Map<string, Round[]>();
  for (let round = -1; round < settings.rounds; round++) {
    const loads = new Map<Served, ReadonlyMap<string, Load>>();
    for (const one of served) loads.set(one, await loadsOf(one, upstreamUrl));
    for (const { name } of ROWS) {
      for (const [one, loadsOfOne] of loads) {
        const load = loadsOfOne.get(name) as Load;
        const figures = await runRound(generator, one, load, settings.roundMs);
        const key = keyOf(name, one.workers);
        if (round >= 0) measured.set(key, [...(measured.get(key) ?? []), figures]);
      }
    }
  }
  const text = [formatRounds(measured), '', HOW_TO_READ, '', ...served.map(describe)].join('\n');
  const figures = {
    twoWorkers: fullOf(measured, DEPOSIT),
    twoWorkersUnseen: fullOf(measured, UNSEEN_DEPOSIT),
  };
  return { text, figures };
}

/**
 * The requests of a round; wallets are made anew, as what was built for one is remembered. Those of the crowd
 * are not: each has its turn once in a round, and making some changes the ledger, at which workers forget
 * what they know of it.
 */
async function loadsOf(
  { ledgerUrl, crowd }: Served,
  upstreamUrl: string,
): Promise<ReadonlyMap<string, Load>> {
  const workload = await prepareWorkload(ledgerUrl);
  await call(upstreamUrl, 'fund', workload.owners);
  const unseen = { name: UNSEEN_DEPOSIT, path: '/mcp', bodies: crowd.map(depositRequest) };
  const all = [...cases(workload), unseen];
  const loads = ROWS.map(({ name, mark }): [string, Load] => {
    const found = all.find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no case ${name}`);
    return [name, { path: found.path, bodies: found.bodies, mark }];
  });
  return new Map(loads);
}

async function runRound(
  generator: ChildProcess,
  served: Served,
  load: Load,
  durationMs: number,
): Promise<Round> {
  const pids = processesOf(served.child.pid as number);
  const cpuMs = (): number => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  const before = cpuMs();
  generator.send({ ...load, port: portOf(served.serviceUrl), connections: CONNECTIONS, durationMs });
  const [result] = (await once(generator, 'message')) as [
    { requests: number; failures: number; seconds: number; cpuMs: number },
  ];
  if (result.failures > 0) throw new Error(`${load.path}: ${result.failures} wrong answers`);
  return {
    perSecond: result.requests / result.seconds,
    cpuMicros: ((cpuMs() - before) * 1_000) / result.requests,
    loadMicros: (result.cpuMs * 1_000) / result.requests,
  };
}

async function start(count: number, folder: string, upstreamUrl: string): Promise<Served> {
  const [command, args] = onAnyCore([MAIN, '--no-supervisor']);
  const startedMs = performance.now();
  const child = spawn(command, args, {
    env: {
      ...process.env,
      ...stackEnv(folder),
      WORKERS: String(count),
      BASE_DEVNET_RPC_URL: upstreamUrl,
      EPHEMERAL_DEVNET_RPC_URL: upstreamUrl,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let banner = '';
  child.stdout.setEncoding('utf8');
  for await (const text of child.stdout) {
    banner += text as string;
    if (banner.includes('Ready')) break;
  }
  const startMs = performance.now() - startedMs;
  const ledgerUrl = addressIn(banner, 'Ledger node');
  return {
    workers: count,
    child,
    serviceUrl: addressIn(banner, 'Tool service').replace(/\/mcp$/, ''),
    ledgerUrl,
    startMs,
    crowd: await prepareCrowd(ledgerUrl),
  };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** A process and those that it started. */
function processesOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number);
  return [pid, ...children];
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    // It ended in the meantime.
    return 0;
  }
}

const keyOf = (name: string, count: number): string => `${name} ${count}`;

type Measured = ReadonlyMap<string, readonly Round[]>;

function figureOf(measured: Measured, name: string, count: number, read: (round: Round) => number): number {
  return median((measured.get(keyOf(name, count)) ?? []).map(read));
}

/**
 * Requests that two cores take with two workers, over those that one takes with one: the median over the
 * rounds.
 */
function fullOf(measured: Measured, name: string): number {
  const [one, two] = COUNTS.map((count) => measured.get(keyOf(name, count)) ?? []) as [Round[], Round[]];
  return median(one.map(({ cpuMicros }, round) => (2 * cpuMicros) / (two[round]?.cpuMicros ?? Number.NaN)));
}

function formatRounds(measured: Measured): string {
  const figure = (name: string, count: number, read: (round: Round) => number): number =>
    figureOf(measured, name, count, read);
  return markdown(
    ROWS.map(({ name }) => {
      const cpu = COUNTS.map((count) => figure(name, count, ({ cpuMicros }) => cpuMicros)) as [
        number,
        number,
      ];
      const rate = COUNTS.map((count) => figure(name, count, ({ perSecond }) => perSecond)) as [
        number,
        number,
      ];
      return {
        what: name,
        'one: CPU us/request': cpu[0].toFixed(1),
        'two: CPU us/request': cpu[1].toFixed(1),
        'two cores full of it': ratio(fullOf(measured, name), 1),
        'one: requests/s': rate[0].toFixed(0),
        'two: requests/s': rate[1].toFixed(0),
        'as measured': ratio(rate[1], rate[0]),
        'load: CPU us/request': figure(name, 2, ({ loadMicros }) => loadMicros).toFixed(1),
      };
    }),
  );
}

function describe({ workers: count, child, startMs }: Served): string {
  const resident = processesOf(child.pid as number).map((pid) => `${residentMiB(pid).toFixed(0)} MiB`);
  return `WORKERS=${count}: ready after ${startMs.toFixed(0)} ms; resident memory afterwards ${resident.join(', ')}.`;
}

function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
