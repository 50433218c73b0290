// Measures the CPU time that stores shared by replicas cost the process that serves, in alternating bursts:
// PostgreSQL compared with the file in DATA_DIR, and Redis compared with limits in memory. `tsx
// bench/replicas.ts [--seconds 40] [--before main.js]` prints a table. `--before` also measures the built
// program of another release, which has no such stores.
import { parseArgs } from 'node:util';
import { Keypair } from '../src/ledger/keypair.ts';
import { systemRandom } from '../src/ports/random.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { missingPrograms, startPostgres, startRedis } from '../src/state/testing/server-process.ts';
import { call, median, runBurst, type Target } from './load.ts';
import { moveAside } from './processes.ts';
import { MAIN, Servers, startStack, temporaryFolder } from './stack.ts';

const ROUNDS = 5;
const CONNECTIONS = 32;

/** New keys per second of a burst: more than the requests that it can send. */
const KEYS_PER_SECOND = 12_000;
const REPLAYED_KEYS = 64;
/** New keys and replays, in the file and in the database. */
const KEYED_TARGETS = 4;

/** A rate limit that no burst reaches. */
const LIMIT = { RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' };

const PATH = '/v1/spl/deposit';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '40' }, before: { type: 'string' } },
});
const missing = missingPrograms('postgres', 'initdb', 'pg_isready', 'redis-server', 'redis-cli');
if (missing !== undefined) throw new Error(missing);

moveAside();
const servers = new Servers();
const [upstream, postgres, redis] = await Promise.all([servers.upstream(), startPostgres(), startRedis()]);
const upstreamUrl = `http://127.0.0.1:${upstream.port}/`;
const owner = new Keypair(systemRandom.bytes(32)).address;
await call(upstreamUrl, 'fund', [owner]);
const body = JSON.stringify({ owner, amount: 1_000_000, mint: USDC_MINT, cluster: 'devnet' });

const names = ['file', 'database', 'memory', 'redis', 'before'] as const;
type Name = (typeof names)[number];
const settings: Record<Name, NodeJS.ProcessEnv> = {
  file: {},
  database: { STATE_URL: postgres.url },
  memory: LIMIT,
  redis: { ...LIMIT, LIMITS_URL: redis.url },
  before: {},
};

async function start(name: Name): Promise<Target> {
  const env = {
    BASE_DEVNET_RPC_URL: upstreamUrl,
    EPHEMERAL_DEVNET_RPC_URL: upstreamUrl,
    LOG_LEVEL: 'error',
    ...settings[name],
  };
  const main = name === 'before' ? values.before : MAIN;
  const { server, servicePort: port } = await startStack(env, temporaryFolder(), false, main);
  const accepts = (answer: string): boolean => answer.includes('"transactionBase64":"');
  return { server, port, path: PATH, accepts, bodies: () => [body] };
}

let keys = 0;

/** Sends each request with a new key. */
function withNewKeys(target: Target, burstMs: number): Target {
  const count = CONNECTIONS + Math.ceil((KEYS_PER_SECOND * burstMs) / 1_000);
  const bodies = (): string[] => Array.from({ length: count }, () => body);
  return { ...target, once: true, bodies, headersOf: () => [`idempotency-key: new-${(keys += 1)}`] };
}

/** Sends requests whose responses are stored. */
function withKnownKeys(target: Target): Target {
  const keyOf = (at: number): string => `known-${at}`;
  const bodies = async (): Promise<string[]> => {
    const all = Array.from({ length: REPLAYED_KEYS }, () => body);
    // The file drops the oldest responses when new ones are stored.
    for (const [at] of all.entries()) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': keyOf(at) };
      await fetch(`http://127.0.0.1:${target.port}${PATH}`, { method: 'POST', headers, body });
    }
    return all;
  };
  return { ...target, bodies, headersOf: (at) => [`idempotency-key: ${keyOf(at)}`] };
}

const running = new Map<Name, Target>();
for (const name of names) {
  if (name !== 'before' || values.before !== undefined) running.set(name, await start(name));
}
const targetOf = (name: Name): Target => running.get(name) as Target;
const burstMs = (Number(values.seconds) * 1_000) / (ROUNDS + 1) / (running.size + KEYED_TARGETS);
const targets = new Map<string, Target>([
  ...[...running].map(([name, target]): [string, Target] => [name, target]),
  ['file, new keys', withNewKeys(targetOf('file'), burstMs)],
  ['database, new keys', withNewKeys(targetOf('database'), burstMs)],
  ['file, replays', withKnownKeys(targetOf('file'))],
  ['database, replays', withKnownKeys(targetOf('database'))],
]);

const measured = new Map<string, number[]>([...targets.keys()].map((name) => [name, []]));
// The first round warms up and does not count.
for (let round = -1; round < ROUNDS; round += 1) {
  for (const [name, target] of targets) {
    const { cpuMicros } = await runBurst(target, CONNECTIONS, burstMs);
    if (round >= 0) measured.get(name)?.push(cpuMicros);
  }
}

const microsOf = (name: string): number => median(measured.get(name) ?? []);
const added = (name: string, without: string): number => microsOf(name) - microsOf(without);
const figure = (micros: number): string => `${micros.toFixed(0)} us`;
const ratio = (one: number, other: number): string => `${(one / other).toFixed(1)}x`;

const key = { file: added('file, new keys', 'file'), database: added('database, new keys', 'database') };
const replay = { file: microsOf('file, replays'), database: microsOf('database, replays') };
const rows = [
  [
    'a new key adds',
    'file',
    figure(key.file),
    'PostgreSQL',
    figure(key.database),
    ratio(key.database, key.file),
    '6x',
  ],
  [
    'a replay',
    'file',
    figure(replay.file),
    'PostgreSQL',
    figure(replay.database),
    ratio(replay.database, replay.file),
    '2x',
  ],
  [
    'a limited request',
    'memory',
    figure(microsOf('memory')),
    'Redis',
    figure(microsOf('redis')),
    `+${figure(added('redis', 'memory'))}`,
    '+50 us',
  ],
  [
    'a request without key and limit',
    'file',
    figure(microsOf('file')),
    'PostgreSQL',
    figure(microsOf('database')),
    ratio(microsOf('database'), microsOf('file')),
    '1x',
  ],
];
if (running.has('before')) {
  rows.push([
    'the same',
    'before',
    figure(microsOf('before')),
    'file',
    figure(microsOf('file')),
    ratio(microsOf('file'), microsOf('before')),
    '1x',
  ]);
}
console.log('| CPU time of | with | | with | | compared | mark |\n|---|---|---|---|---|---|---|');
for (const cells of rows) console.log(`| ${cells.join(' | ')} |`);
await Promise.all([postgres.stop(), redis.stop()]);
process.exit();
