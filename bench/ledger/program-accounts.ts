import { TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { rpcText } from '../call.ts';
import { floorRow, startFloor } from '../floor.ts';
import { measureRows, type LoadRow } from '../load-rows.ts';
import { inScope } from '../scope.ts';
import type { Section } from '../section.ts';
import { portOf, startStack } from '../stack.ts';
import { median } from '../statistics.ts';
import { formatRows } from '../table.ts';
import { FILLED, fillLedger } from './filled-ledger.ts';
import { startInProcess, type InProcessCase } from './in-process.ts';
import { loadPopulation, type Population } from './population.ts';

const CONNECTIONS = 8;
/** Wallets that are asked for in turn. */
const OWNERS = 256;

/** The row that has to look at every account. */
const SCAN = 'getProgramAccounts of the token program, no index, none found';
const MICROS_PER_MS = 1_000;

/** Looking for accounts by who owns them, among many. */
export const programAccounts: Section = {
  name: 'program-accounts',
  title: `Accounts found among ${FILLED.accounts}, over ${CONNECTIONS} connections`,
  run: (settings) =>
    inScope(async ({ keep }) => {
      const ours = keep(await startStack(fillLedger().folder));
      const floor = keep(await startFloor());
      const inProcess = keep(await startInProcess(FILLED.accounts));
      const rows = casesOf(await loadPopulation()).map(({ name, bodies, found, alone }): LoadRow => ({
        name,
        serverName: 'ledger',
        server: ours,
        port: portOf(ours.ledgerUrl),
        path: '/',
        bodies: () => bodies,
        accepts: (body) => body.split('"pubkey"').length === found + 1,
        inProcess: alone && ((durationMs) => inProcess.measure(alone, durationMs)),
      }));
      const measured = await measureRows([floorRow(floor), ...rows], settings, CONNECTIONS);
      const scan = measured.find(({ row }) => row.name === SCAN)?.rounds ?? [];
      const figures = { scanMs: median(scan.map(({ cpuMicros }) => cpuMicros)) / MICROS_PER_MS };
      return { text: formatRows(measured), figures };
    }),
};

interface Case {
  readonly name: string;
  readonly bodies: readonly string[];
  /** Accounts in each answer. */
  readonly found: number;
  readonly alone?: InProcessCase;
}

function casesOf(population: Population): Case[] {
  const { ACCOUNTS_PER_OWNER, SMALL_PROGRAM, SMALL_PROGRAM_ACCOUNTS, ownerAt } = population;
  const owners = Array.from({ length: OWNERS }, (_, number) => ownerAt(number * 131));
  const encoding = 'base64';
  const ofToken = (...filters: object[]): string =>
    rpcText('getProgramAccounts', [TOKEN_PROGRAM, { encoding, filters }]);
  return [
    {
      name: 'getProgramAccounts of the token program, by wallet',
      bodies: owners.map((owner) => ofToken({ dataSize: 165 }, { memcmp: { offset: 32, bytes: owner } })),
      found: ACCOUNTS_PER_OWNER,
      alone: 'tokenAccounts',
    },
    {
      name: 'getTokenAccountsByOwner',
      bodies: owners.map((owner) =>
        rpcText('getTokenAccountsByOwner', [owner, { programId: TOKEN_PROGRAM }, { encoding }]),
      ),
      found: ACCOUNTS_PER_OWNER,
      alone: 'tokenAccounts',
    },
    {
      name: `getProgramAccounts of a program with ${SMALL_PROGRAM_ACCOUNTS} accounts`,
      bodies: [rpcText('getProgramAccounts', [SMALL_PROGRAM, { encoding }])],
      found: SMALL_PROGRAM_ACCOUNTS,
      alone: 'programAccounts',
    },
    {
      name: SCAN,
      bodies: [ofToken({ dataSize: 166 })],
      found: 0,
    },
  ];
}
