import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import type { TcpCutter } from '../../src/state/testing/tcp-cutter.ts';
import type { Span } from './checks.ts';
import type { Proxy } from './proxy.ts';
import type { Replica } from './replica.ts';

/** Time between two kills, and the length of an outage and of the time after it, ms. */
const KILL_MS = 5_000;
const OUTAGE_MS = 3_000;
const REST_MS = 3_000;

const OUTAGES = ['cut', 'stall', 'mute'] as const;

/** The faults caused to the replicas and their servers. */
export interface Chaos {
  kills: number;
  terminations: number;
  /** Exit codes of replicas that were stopped, other than 0. */
  readonly badExits: (number | null)[];
  readonly postgresOutages: Span[];
  readonly redisOutages: Span[];
}

interface Victims {
  readonly replicas: readonly Replica[];
  readonly proxy: Proxy;
  readonly postgres: TcpCutter;
  readonly redis: TcpCutter;
}

/** Kills replicas and cuts off servers for some time. Everything is up again at the end. */
export async function causeChaos(victims: Victims, random: SeededRandom, seconds: number): Promise<Chaos> {
  const chaos: Chaos = { kills: 0, terminations: 0, badExits: [], postgresOutages: [], redisOutages: [] };
  const endMs = performance.now() + seconds * 1_000;
  await Promise.all([killInTurn(victims, random, endMs, chaos), cutInTurn(victims, endMs, chaos)]);
  return chaos;
}

async function killInTurn(
  { replicas, proxy }: Victims,
  random: SeededRandom,
  endMs: number,
  chaos: Chaos,
): Promise<void> {
  for (let round = 0; performance.now() < endMs; round += 1) {
    const pause = sleep(KILL_MS);
    const replica = replicas[random.integer(replicas.length)] as Replica;
    if (round % 2 === 0) {
      chaos.kills += 1;
      await replica.kill();
    } else {
      chaos.terminations += 1;
      const { code } = await replica.stop();
      if (code !== 0) chaos.badExits.push(code);
    }
    await replica.start();
    await proxy.whenAllServe();
    await pause;
  }
}

async function cutInTurn({ postgres, redis }: Victims, endMs: number, chaos: Chaos): Promise<void> {
  const turns = OUTAGES.flatMap((kind) => [
    { kind, cutter: postgres, outages: chaos.postgresOutages },
    { kind, cutter: redis, outages: chaos.redisOutages },
  ]);
  for (let round = 0; performance.now() < endMs; round += 1) {
    const { kind, cutter, outages } = turns[round % turns.length] as (typeof turns)[number];
    await sleep(REST_MS);
    const fromMs = performance.now();
    cutter[kind]();
    await sleep(OUTAGE_MS);
    cutter.restore();
    outages.push({ fromMs, toMs: performance.now() });
  }
}

/** Restarts all replicas one after the other. Returns the exit codes other than 0. */
export async function restartInTurn({ replicas, proxy }: Victims): Promise<(number | null)[]> {
  const badExits: (number | null)[] = [];
  for (const replica of replicas) {
    const { code } = await replica.stop();
    if (code !== 0) badExits.push(code);
    await replica.start();
    await proxy.whenAllServe();
  }
  return badExits;
}
