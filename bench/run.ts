import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { measureBuilds } from './builds.ts';
import { cases, prepareWorkload, type BenchCase } from './cases.ts';
import { runLoad, type LoadResult } from './load.ts';
import { moveAside, startServer, type ServerProcess } from './server-process.ts';
import { formatBuilds, formatTable } from './table.ts';

/**
 * Measures the service and the ledger node beside a bare node:http echo (the floor) and beside a server written with
 * the official MCP SDK, the MagicBlock SDK and web3.js (the peer), and the building alone beside the MagicBlock SDK
 * and web3.js: all in one run, in alternating rounds.
 */

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const ROUND_MS = Number(process.env['BENCH_ROUND_MS'] ?? 1_500);
const WARM_UP_MS = 1_500;
const CONNECTIONS = 32;

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** One case's figures over all rounds. */
export interface Measured {
  readonly case: BenchCase;
  readonly rounds: readonly (LoadResult & { readonly cpuMicros: number })[];
}

if (!existsSync(here('node_modules'))) {
  console.log('Installing what the benchmark compares with (bench/package.json) ...');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit'], {
    cwd: here('.'),
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

moveAside();
const builds = await measureBuilds(ROUNDS, ROUND_MS);
const folder = await mkdtemp(join(tmpdir(), 'spl-bench-'));
const servers: ServerProcess[] = [];
try {
  const upstream = await startServer([here('upstream-server.mjs')], /ready \d+/);
  servers.push(upstream);
  const upstreamUrl = `http://127.0.0.1:${portOf(upstream)}/`;
  const ours = await startServer([here('../dist/cli/main.js')], /Ready/, {
    PORT: '0',
    LEDGER_RPC_PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    CLUSTER: 'localnet',
    BASE_DEVNET_RPC_URL: upstreamUrl,
    EPHEMERAL_DEVNET_RPC_URL: upstreamUrl,
  });
  servers.push(ours);
  const [serviceUrl, ledgerUrl] = urlsOf(ours.output);
  const floor = await startServer([here('echo-server.mjs')], /ready \d+/);
  servers.push(floor);
  const peer = await startServer([here('peer-server.mjs'), ledgerUrl], /ready \d+/);
  servers.push(peer);

  const workload = await prepareWorkload(ledgerUrl, upstreamUrl);
  const ports = {
    service: Number(new URL(serviceUrl).port),
    ledger: Number(new URL(ledgerUrl).port),
    floor: portOf(floor),
    peer: portOf(peer),
  };
  const processes = { service: ours, ledger: ours, floor, peer };
  const measured = cases(workload).map((benchCase) => ({
    case: benchCase,
    rounds: [] as Measured['rounds'][number][],
  }));

  for (let round = -1; round < ROUNDS; round++) {
    for (const { case: benchCase, rounds } of measured) {
      const server = processes[benchCase.server];
      const before = server.cpuMs();
      const result = await runLoad({
        port: ports[benchCase.server],
        path: benchCase.path,
        bodies: benchCase.bodies,
        accepts: benchCase.accepts,
        connections: CONNECTIONS,
        durationMs: round < 0 ? WARM_UP_MS : ROUND_MS,
      });
      if (result.failures > 0) throw new Error(`${benchCase.name}: ${result.failures} wrong answers`);
      const cpuMicros = ((server.cpuMs() - before) * 1_000) / result.requests;
      if (round >= 0) rounds.push({ ...result, cpuMicros });
    }
  }

  const [cpu] = cpus();
  console.log(
    `\nNode ${process.version}, ${cpus().length} cores (${cpu?.model ?? 'unknown'}), ${CONNECTIONS} connections,`,
  );
  console.log(
    `${ROUNDS} rounds of ${ROUND_MS} ms, alternating; medians over the rounds. CPU is that of the server process.\n`,
  );
  console.log(formatTable(measured));
  console.log(
    `\nBuilding in process, a new wallet for every transaction, ${ROUNDS} alternating rounds, medians:\n`,
  );
  console.log(formatBuilds(builds));
  console.log(
    `\nResident memory after the run: ours ${ours.residentMiB().toFixed(0)} MiB, floor ${floor.residentMiB().toFixed(0)} MiB, peer ${peer.residentMiB().toFixed(0)} MiB`,
  );
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
}

function urlsOf(banner: string): [string, string] {
  const urls = banner.match(/http:\/\/127\.0\.0\.1:\d+/g) ?? [];
  if (urls.length < 2) throw new Error(`no two addresses in the banner:\n${banner}`);
  return [urls[0] as string, urls[1] as string];
}

function portOf(server: ServerProcess): number {
  return Number(/ready (\d+)/.exec(server.output)?.[1]);
}
