import { TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { startChild } from '../child-calls.ts';
import { rpcText } from '../call.ts';
import { runLoad } from '../load.ts';
import type { Section } from '../section.ts';
import { startServer } from '../server-process.ts';
import { here, portOf, readyPort, startStack } from '../stack.ts';
import { median } from '../statistics.ts';
import { markdown, ratio } from '../table.ts';
import { FILLED, fillLedger } from './filled-ledger.ts';

const CONNECTIONS = 8;

/** What of the population is asked for. */
interface Population {
  readonly ACCOUNTS_PER_OWNER: number;
  readonly SMALL_PROGRAM: string;
  readonly SMALL_PROGRAM_ACCOUNTS: number;
  ownerAt(number: number): string;
}

/** Looking for accounts by their owner among many. */
export const programAccounts: Section = {
  name: 'program-accounts',
  title: `Accounts found by an index among ${FILLED.accounts.toLocaleString('en')}`,
  run: async ({ rounds, roundMs }) => {
    const population = (await import(here('ledger/population.mjs'))) as Population;
    const { folder } = fillLedger();
    const ours = await startStack(folder);
    const floor = await startServer([here('echo-server.mjs')], /ready \d+/);
    const inProcess = await startChild(here('ledger/in-process.mjs'), [String(FILLED.accounts)]);
    const ports = { floor: readyPort(floor), ours: portOf(ours.ledgerUrl) };
    const measured = casesOf(population).map((one) => ({
      ...one,
      figures: [] as { cpuMicros: number; inProcessMicros: number; perSecond: number; p99Ms: number }[],
    }));
    try {
      for (let round = -1; round < rounds; round++) {
        for (const { server, name, bodies, accepts, inProcess: twin, figures } of measured) {
          const durationMs = roundMs;
          const alone = twin && (await inProcess.ask<Turns>({ name: twin, durationMs }));
          const process = server === 'ours' ? ours : floor;
          const before = process.cpuMs();
          const load = { port: ports[server], path: '/', bodies, accepts, connections: CONNECTIONS, durationMs };
          const { requests, seconds, failures, p99Ms } = await runLoad(load);
          if (failures > 0) throw new Error(`${name}: ${failures} wrong answers`);
          if (round < 0) continue;
          figures.push({
            cpuMicros: ((process.cpuMs() - before) * 1_000) / requests,
            inProcessMicros: alone === undefined ? Number.NaN : alone.cpuMicros / alone.turns,
            perSecond: requests / seconds,
            p99Ms,
          });
        }
      }
    } finally {
      inProcess.stop();
      await Promise.all([ours.stop(), floor.stop()]);
    }
    const middle = (index: number, key: keyof (typeof measured)[number]['figures'][number]): number =>
      median(measured[index]?.figures.map((figure) => figure[key]) ?? []);
    return markdown([
      ['what', 'CPU us/request', 'to the floor', 'to in process', 'requests/s', 'p99 ms'],
      ...measured.map(({ name }, index) => [
        name,
        middle(index, 'cpuMicros').toFixed(1),
        ratio(middle(index, 'cpuMicros'), middle(0, 'cpuMicros')),
        ratio(middle(index, 'cpuMicros'), middle(index, 'inProcessMicros')),
        middle(index, 'perSecond').toFixed(0),
        middle(index, 'p99Ms').toFixed(2),
      ]),
    ]);
  },
};

interface Turns {
  readonly turns: number;
  readonly cpuMicros: number;
}

function casesOf({ ACCOUNTS_PER_OWNER, SMALL_PROGRAM, SMALL_PROGRAM_ACCOUNTS, ownerAt }: Population) {
  const owners = Array.from({ length: 256 }, (_, number) => ownerAt(number * 131));
  const finds =
    (count: number) =>
    (body: string): boolean =>
      body.split('"pubkey"').length === count + 1;
  const tokenFilters = (owner: string) => [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: owner } }];
  const encoding = 'base64';
  return [
    {
      name: 'echo of 1 KB JSON (the floor)',
      server: 'floor',
      bodies: [JSON.stringify({ pad: 'x'.repeat(1_000), list: [1, 2, 3] })],
      accepts: (body: string) => body.length > 1_000,
    },
    {
      name: `getProgramAccounts of the token program by wallet, ${ACCOUNTS_PER_OWNER} found`,
      server: 'ours',
      bodies: owners.map((owner) =>
        rpcText('getProgramAccounts', [TOKEN_PROGRAM, { encoding, filters: tokenFilters(owner) }]),
      ),
      accepts: finds(ACCOUNTS_PER_OWNER),
      inProcess: 'tokenAccounts',
    },
    {
      name: `getTokenAccountsByOwner, ${ACCOUNTS_PER_OWNER} found`,
      server: 'ours',
      bodies: owners.map((owner) =>
        rpcText('getTokenAccountsByOwner', [owner, { programId: TOKEN_PROGRAM }, { encoding }]),
      ),
      accepts: finds(ACCOUNTS_PER_OWNER),
      inProcess: 'tokenAccounts',
    },
    {
      name: `getProgramAccounts of a program with ${SMALL_PROGRAM_ACCOUNTS} accounts`,
      server: 'ours',
      bodies: [rpcText('getProgramAccounts', [SMALL_PROGRAM, { encoding }])],
      accepts: finds(SMALL_PROGRAM_ACCOUNTS),
      inProcess: 'programAccounts',
    },
    {
      name: 'getProgramAccounts of the token program, all looked at by a filter, none found',
      server: 'ours',
      bodies: [
        rpcText('getProgramAccounts', [
          TOKEN_PROGRAM,
          { encoding, filters: [{ memcmp: { offset: 64, bytes: '1'.repeat(8) } }, { dataSize: 166 }] },
        ]),
      ],
      accepts: finds(0),
    },
  ] as const;
}
