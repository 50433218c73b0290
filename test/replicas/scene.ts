import { join } from 'node:path';
import { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { startPostgres, startRedis } from '../../src/state/testing/server-process.ts';
import { openTcpCutter } from '../../src/state/testing/tcp-cutter.ts';
import { callLedger } from '../stack-process.ts';
import { type Chaos, causeChaos, restartInTurn } from './chaos.ts';
import {
  type KeyedSeen,
  keysAnsweredTwice,
  keysWithoutAnswer,
  mostAdmitted,
  otherBodiesAccepted,
  rejectedWithoutOutage,
} from './checks.ts';
import { Load } from './load.ts';
import { GASLESS_LAMPORTS, type Network, startNetwork } from './network.ts';
import { startProxy } from './proxy.ts';
import { Replica, reservePorts } from './replica.ts';

const REPLICAS = 3;
const WALLETS = 8;

/** The rate limit of a client. Only the flood exceeds it. */
const LIMIT = { requestsPerSecond: 50, burst: 50 };
const WINDOW_MS = 1_000;

/** Gasless transfers that the hourly budget pays for, per second of the run. The clients request more. */
const GASLESS_PER_SECOND = 1;

/** Time after an outage during which requests that waited for the database may fail, ms: a little more than its timeout. */
const OUTAGE_TAIL_MS = 3_000;

const ROLLING = 'rolling restart';

const FAILURES_SHOWN = 5;

interface Run {
  readonly folder: string;
  readonly seed: string;
  readonly seconds: number;
}

/** An invariant, and what the run has shown. */
interface Check {
  readonly name: string;
  readonly seen: number | string;
  readonly allowed: number | string;
  readonly isKept: boolean;
}

/** Runs the replicas under load. */
export async function runReplicas(run: Run) {
  const ends: (() => unknown)[] = [];
  try {
    return await runUntilEnd(run, (end) => void ends.push(end));
  } finally {
    await Promise.all(ends.map((end) => end()));
  }
}

async function runUntilEnd({ folder, seed, seconds }: Run, onEnd: (end: () => unknown) => void) {
  const random = new SeededRandom(seed);
  const [network, postgres, redis] = await Promise.all([
    startNetwork(join(folder, 'network'), WALLETS),
    startPostgres(),
    startRedis(),
  ]);
  const toPostgres = await openTcpCutter(postgres.port);
  const toRedis = await openTcpCutter(redis.port);
  for (const { stop } of [network, postgres, redis]) onEnd(stop);
  for (const { close } of [toPostgres, toRedis]) onEnd(close);
  const budget = GASLESS_LAMPORTS * BigInt(Math.ceil(seconds * GASLESS_PER_SECOND));
  const env = {
    ...network.env,
    TRUSTED_PROXIES: '127.0.0.1',
    STATE_URL: postgres.url.replace(String(postgres.port), String(toPostgres.port)),
    LIMITS_URL: redis.url.replace(String(redis.port), String(toRedis.port)),
    RATE_LIMIT_PER_SECOND: String(LIMIT.requestsPerSecond),
    RATE_LIMIT_BURST: String(LIMIT.burst),
    GASLESS_SOL_PER_HOUR: (Number(budget) / 1e9).toFixed(9),
  };
  const [proxyPort = 0, statePort = 0, ...ports] = await reservePorts(REPLICAS + 2);
  const replicas = ports.map((port) => new Replica(port, join(folder, String(port)), env));
  for (const replica of replicas) onEnd(() => replica.stop());
  await Promise.all(replicas.map((replica) => replica.start()));
  const proxy = await startProxy(folder, { proxy: proxyPort, state: statePort, replicas: ports });
  onEnd(proxy.stop);
  const before = await lamportsOf(network);
  const load = new Load(proxy.url, network, random);
  const victims = { replicas, proxy, postgres: toPostgres, redis: toRedis };
  load.phase = 'kills and outages';
  load.start();
  const chaos = await causeChaos(victims, random, seconds);
  load.phase = ROLLING;
  chaos.badExits.push(...(await restartInTurn(victims)));
  await load.stop();
  const spent = before - (await lamportsOf(network));
  return { checks: checksOf(load, chaos, { spent, budget }), figures: figuresOf(load, chaos) };
}

async function lamportsOf({ ledgerUrl, sponsor }: Network): Promise<bigint> {
  const { value } = await callLedger<{ value: number }>(ledgerUrl, 'getBalance', [sponsor.address]);
  return BigInt(value);
}

/** Returns the failed requests without a key. The rate limit rejects some of the flooding client. */
const failuresOf = ({ builders, flood }: Load) => [
  ...builders.filter(({ status }) => status !== 200),
  ...flood.filter(({ status }) => status !== 200 && status !== 429),
];

function checksOf(load: Load, chaos: Chaos, sponsor: { spent: bigint; budget: bigint }): Check[] {
  const atMost = (name: string, seen: number | bigint, allowed: number | bigint): Check => ({
    name,
    seen: String(seen),
    allowed: `at most ${allowed}`,
    isKept: seen <= allowed,
  });
  const atLeast = (name: string, seen: number): Check => ({
    name,
    seen,
    allowed: 'at least 1',
    isKept: seen > 0,
  });
  const failed = failuresOf(load);
  const isRolling = ({ phase }: { phase: string }): boolean => phase === ROLLING;
  const outages = chaos.postgresOutages.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs + OUTAGE_TAIL_MS }));
  const admitted = load.flood.filter(({ status }) => status === 200);
  const { requestsPerSecond, burst } = LIMIT;
  const signed = GASLESS_LAMPORTS * BigInt(load.signed.size);
  return [
    atMost('keys with two different responses', keysAnsweredTwice(load.keyed).length, 0),
    atMost('other bodies accepted for a used key', otherBodiesAccepted(load.keyed).length, 0),
    atMost('503 without Retry-After', load.keyed.filter(isWithoutRetryAfter).length, 0),
    // A busy machine can need more than 2 s for a statement. Such a request is rejected, and nothing is lost.
    atMost(
      '503 with the database available',
      rejectedWithoutOutage(load.keyed, outages).length,
      Math.ceil(load.keyed.length / 200),
    ),
    atMost(
      'requests of the flooding client admitted within a second',
      mostAdmitted(admitted, WINDOW_MS),
      // One burst over the limit, and 5 % because the client measures the time.
      Math.floor((requestsPerSecond + 2 * burst) * 1.05),
    ),
    atMost('lamports that the sponsor signed for in the hour', signed, sponsor.budget),
    atMost('lamports that the sponsor spent on the ledger', sponsor.spent, sponsor.budget),
    atMost('failed requests without a key, under kills', failed.filter((one) => !isRolling(one)).length, 0),
    atMost('failed requests without a key, rolling restart', failed.filter(isRolling).length, 0),
    atMost('replicas that did not end with 0 after SIGTERM', chaos.badExits.length, 0),
    // Without these, the checks above would prove nothing.
    atLeast('keys answered', load.keyed.filter(({ status }) => status === 200).length),
    atLeast(
      'keys rejected while the database was off',
      load.keyed.filter(({ status }) => status === 503).length,
    ),
    atLeast('requests of the flooding client rejected', load.flood.length - admitted.length),
    atLeast('gasless transfers over the budget', load.overBudget),
  ];
}

function figuresOf(load: Load, chaos: Chaos) {
  return {
    kills: chaos.kills,
    terminations: chaos.terminations,
    outages: { postgres: chaos.postgresOutages.length, redis: chaos.redisOutages.length },
    requestsWithoutKey: countBy(load.builders, ({ status, phase }) => `${phase}: ${status}`),
    keys: new Set(load.keyed.map(({ key }) => key)).size,
    keysWithoutAnswer: keysWithoutAnswer(load.keyed),
    requestsWithKey: countBy(load.keyed, ({ status }) => String(status)),
    flood: countBy(load.flood, ({ status }) => String(status)),
    gasless: { signed: load.signed.size, unlanded: load.unlanded, overBudget: load.overBudget },
    failures: [...failuresOf(load), ...load.keyed.filter(isWithoutRetryAfter)]
      .slice(0, FAILURES_SHOWN)
      .map(({ text }) => text.slice(0, 300)),
  };
}

const isWithoutRetryAfter = ({ status, hasRetryAfter }: KeyedSeen): boolean =>
  status === 503 && !hasRetryAfter;

function countBy<T>(items: readonly T[], groupOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[groupOf(item)] = (counts[groupOf(item)] ?? 0) + 1;
  return counts;
}
