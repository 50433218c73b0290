import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cases, prepareWorkload, type BenchCase } from './cases.ts';
import { startChild } from './child-calls.ts';
import { installPeers } from './install-peers.ts';
import { runLoad, type LoadResult } from './load.ts';
import type { Section, Settings } from './section.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { here, portOf, readyPort, startStack } from './stack.ts';
import { formatTable } from './table.ts';

const WARM_UP_MS = 1_500;
const CONNECTIONS = 32;

/** One case's figures over all rounds. */
export interface Measured {
  readonly case: BenchCase;
  readonly rounds: readonly (LoadResult & {
    readonly cpuMicros: number;
    /** CPU time of what the ledger does of it, in process; not a number where it does nothing. */
    readonly inProcessMicros: number;
  })[];
}

/** The service and the ledger node under load, with the floor and the peer between. */
export const requests: Section = {
  name: 'requests',
  title: `Requests over ${CONNECTIONS} connections, CPU of the server process`,
  run: async (settings) => {
    installPeers();
    const folder = await mkdtemp(join(tmpdir(), 'spl-bench-'));
    const servers: ServerProcess[] = [];
    try {
      return await measure(settings, folder, servers);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measure({ rounds, roundMs }: Settings, folder: string, servers: ServerProcess[]): Promise<string> {
  const keep = <Server extends ServerProcess>(server: Server): Server => {
    servers.push(server);
    return server;
  };
  const upstream = keep(await startServer([here('upstream-server.mjs')], /ready \d+/));
  const upstreamUrl = `http://127.0.0.1:${readyPort(upstream)}/`;
  const ours = keep(
    await startStack(folder, { BASE_DEVNET_RPC_URL: upstreamUrl, EPHEMERAL_DEVNET_RPC_URL: upstreamUrl }),
  );
  const floor = keep(await startServer([here('echo-server.mjs')], /ready \d+/));
  const peer = keep(await startServer([here('peer-server.mjs'), ours.ledgerUrl], /ready \d+/));
  const inProcess = await startChild(here('ledger/in-process.mjs'), ['1000']);

  const ports = {
    service: portOf(ours.serviceUrl),
    ledger: portOf(ours.ledgerUrl),
    floor: readyPort(floor),
    peer: readyPort(peer),
  };
  const processes = { service: ours, ledger: ours, floor, peer };
  const measured = cases(await prepareWorkload(ours.ledgerUrl, upstreamUrl)).map((benchCase) => ({
    case: benchCase,
    rounds: [] as Measured['rounds'][number][],
  }));
  const askInProcess = async (name: BenchCase['inProcess']): Promise<number> => {
    if (name === undefined) return Number.NaN;
    const { turns, cpuMicros } = await inProcess.ask<{ turns: number; cpuMicros: number }>({
      name,
      durationMs: roundMs,
    });
    return cpuMicros / turns;
  };
  for (let round = -1; round < rounds; round++) {
    for (const { case: benchCase, rounds: figures } of measured) {
      const { server, path, bodies, accepts } = benchCase;
      const inProcessMicros = await askInProcess(benchCase.inProcess);
      const before = processes[server].cpuMs();
      const result = await runLoad({
        port: ports[server],
        path,
        bodies,
        accepts,
        connections: CONNECTIONS,
        durationMs: round < 0 ? WARM_UP_MS : roundMs,
      });
      if (result.failures > 0) throw new Error(`${benchCase.name}: ${result.failures} wrong answers`);
      const cpuMicros = ((processes[server].cpuMs() - before) * 1_000) / result.requests;
      if (round >= 0) figures.push({ ...result, cpuMicros, inProcessMicros });
    }
  }
  inProcess.stop();
  const memory = Object.entries({ ours, floor, peer }).map(
    ([name, server]) => `${name} ${server.residentMiB().toFixed(0)} MiB`,
  );
  return `${formatTable(measured)}\n\nResident memory after it: ${memory.join(', ')}.`;
}
