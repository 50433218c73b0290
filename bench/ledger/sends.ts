import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '../child-calls.ts';
import { call, rpcText } from '../call.ts';
import { runLoad } from '../load.ts';
import type { Section } from '../section.ts';
import { startServer } from '../server-process.ts';
import { here, portOf, readyPort, startStack, type Stack } from '../stack.ts';
import { median } from '../statistics.ts';
import { markdown, ratio } from '../table.ts';

const CONNECTIONS = 32;
const AIRDROP_LAMPORTS = 100_000_000_000;
/** More a second than are ever taken: nothing is sent twice. */
const SENDS_PER_SECOND_MAX = 12_000;

interface Population {
  readonly wallets: readonly { readonly address: string }[];
  signTransfer(number: number, blockhash: string): { readonly wire: Uint8Array };
}

/** Transactions that are on the disk when they are answered. */
export const sends: Section = {
  name: 'sends',
  title: `Durable sendTransaction over ${CONNECTIONS} connections, a transfer of lamports`,
  run: async ({ rounds, roundMs }) => {
    const population = (await import(here('ledger/population.mjs'))) as Population;
    const folder = await mkdtemp(join(tmpdir(), 'spl-bench-'));
    const ours = await startStack(folder);
    const floor = await startServer([here('echo-server.mjs')], /ready \d+/);
    const inProcess = await startChild(here('ledger/in-process.mjs'), ['1000']);
    try {
      for (const { address } of population.wallets) {
        await call(ours.ledgerUrl, 'requestAirdrop', [address, AIRDROP_LAMPORTS]);
      }
      const sign = createSigner(population, ours, Math.ceil((SENDS_PER_SECOND_MAX * roundMs) / 1_000));
      const kinds = [
        { name: 'echo of 1 KB JSON (the floor)', server: floor, port: readyPort(floor), bodiesOf: async () => [ECHO] },
        ...[false, true].map((skipPreflight) => ({
          name: `sendTransaction, ${skipPreflight ? 'skipPreflight' : 'with its preflight'}`,
          server: ours,
          port: portOf(ours.ledgerUrl),
          bodiesOf: () => sign({ encoding: 'base64', skipPreflight }),
        })),
      ].map((kind) => ({ ...kind, figures: [] as Figures[] }));
      const alone: number[] = [];
      for (let round = -1; round < rounds; round++) {
        const { turns, cpuMicros } = await inProcess.ask<{ turns: number; cpuMicros: number }>({
          name: 'submit',
          durationMs: roundMs,
        });
        if (round >= 0) alone.push(cpuMicros / turns);
        for (const { name, server, port, bodiesOf, figures } of kinds) {
          const bodies = await bodiesOf();
          const before = server.cpuMs();
          const result = await runLoad({
            port,
            path: '/',
            bodies,
            connections: CONNECTIONS,
            durationMs: roundMs,
            accepts: (body) => !body.includes('"error"'),
          });
          if (result.failures > 0) throw new Error(`${name}: ${result.failures} wrong answers`);
          if (round < 0) continue;
          figures.push({
            cpuMicros: ((server.cpuMs() - before) * 1_000) / result.requests,
            perSecond: result.requests / result.seconds,
            p50Ms: result.p50Ms,
            p99Ms: result.p99Ms,
          });
        }
      }
      return formatSends(kinds, median(alone));
    } finally {
      inProcess.stop();
      await Promise.all([ours.stop(), floor.stop()]);
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const ECHO = JSON.stringify({ pad: 'x'.repeat(1_000), list: [1, 2, 3] });

interface Figures {
  readonly cpuMicros: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Signs as many transfers as a round may take, none of them like one before, on the newest blockhash. */
function createSigner({ signTransfer }: Population, { ledgerUrl }: Stack, count: number) {
  let next = 0;
  return async (config: object): Promise<string[]> => {
    const { value } = await call<{ value: { blockhash: string } }>(ledgerUrl, 'getLatestBlockhash');
    return Array.from({ length: count }, () => {
      const { wire } = signTransfer(next++, value.blockhash);
      return rpcText('sendTransaction', [Buffer.from(wire).toString('base64'), config]);
    });
  };
}

function formatSends(
  kinds: readonly { readonly name: string; readonly figures: readonly Figures[] }[],
  inProcessMicros: number,
): string {
  const middle = (figures: readonly Figures[], key: keyof Figures): number =>
    median(figures.map((figure) => figure[key]));
  const floor = middle(kinds[0]?.figures ?? [], 'cpuMicros');
  return markdown([
    ['what', 'CPU us/request', 'to the floor', 'to in process', 'requests/s', 'p50 ms', 'p99 ms'],
    ...kinds.map(({ name, figures }, index) => [
      name,
      middle(figures, 'cpuMicros').toFixed(1),
      ratio(middle(figures, 'cpuMicros'), floor),
      index === 0 ? '' : ratio(middle(figures, 'cpuMicros'), inProcessMicros),
      middle(figures, 'perSecond').toFixed(0),
      middle(figures, 'p50Ms').toFixed(2),
      middle(figures, 'p99Ms').toFixed(2),
    ]),
    [
      'submit in process, in memory',
      inProcessMicros.toFixed(1),
      ratio(inProcessMicros, floor),
      '1.00x',
      (1_000_000 / inProcessMicros).toFixed(0),
      '',
      '',
    ],
  ]);
}
