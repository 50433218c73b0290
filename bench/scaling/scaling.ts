import { TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { rpcText } from '../call.ts';
import { cases, prepareWorkload, type Workload } from '../cases.ts';
import { FILLED, fillFolder, fillLedger } from '../ledger/filled-ledger.ts';
import { measureRows, type LoadRow, type MeasuredRow } from '../load-rows.ts';
import { inScope, type Scope } from '../scope.ts';
import type { Section, Settings } from '../section.ts';
import { portOf, startStack, type Stack } from '../stack.ts';
import { median } from '../statistics.ts';
import { markdown } from '../table.ts';

/**
 * Accounts of the ledgers without a history that are compared; the first is also asked over few and many
 * connections.
 */
const ACCOUNTS = [1_000, 10_000, 100_000];
const CONNECTIONS_OF_ACCOUNTS = 32;
const CONNECTIONS = [1, 32, 256, 1_000];

/** What is asked, of the table of requests. */
const CASES = [
  'getSlot',
  'getAccountInfo, token account',
  'simulateTransaction, token transfer',
  'tools/call spl.deposit',
];

/** How cost grows with what the ledger holds, and with those who are connected. */
export const scaling: Section = {
  name: 'scaling',
  title: 'How cost grows: CPU us/request',
  run: (settings) =>
    inScope(async (scope) => {
      // There are many columns: a shorter look at each.
      const brief = { ...settings, rounds: Math.min(settings.rounds, 3), roundMs: settings.roundMs / 2 };
      const ledgers = await openLedgers(scope);
      const [smallest] = ledgers as [Column];
      const byLedger = await measureColumns(
        ledgers,
        [...CASES, ...INDEX_READS.map(({ name }) => name)],
        brief,
      );
      const crowds = CONNECTIONS.map((connections) => ({
        ...smallest,
        title: `${connections} connection${connections === 1 ? '' : 's'}`,
        connections,
      }));
      const byCrowd = await measureColumns(crowds, CASES, brief);
      const text = [
        `With what the ledger holds, over ${CONNECTIONS_OF_ACCOUNTS} connections:`,
        formatColumns(byLedger, ({ cpuMicros }) => cpuMicros.toFixed(1)),
        `With connections, ${smallest.title}; in brackets the p99 of latency, ms:`,
        formatColumns(byCrowd, ({ cpuMicros, p99Ms }) => `${cpuMicros.toFixed(1)} (${p99Ms.toFixed(1)})`),
      ];
      return { text: text.join('\n\n') };
    }),
};

/** A column of a table: one stack, asked over so many connections. */
interface Column {
  readonly title: string;
  readonly stack: Stack;
  readonly workload: Workload;
  readonly connections: number;
}

async function openLedgers({ keep, folder }: Scope): Promise<Column[]> {
  const open = async (title: string, path: string): Promise<Column> => {
    const stack = keep(await startStack(path));
    const workload = await prepareWorkload(stack.ledgerUrl);
    return { title, stack, workload, connections: CONNECTIONS_OF_ACCOUNTS };
  };
  const columns: Column[] = [];
  for (const accounts of ACCOUNTS) {
    const path = await folder();
    fillFolder(path, accounts, 0);
    columns.push(await open(`${accounts} accounts`, path));
  }
  const both = `${FILLED.accounts} accounts, ${FILLED.transactions} transactions`;
  return [...columns, await open(both, fillLedger().folder)];
}

interface MeasuredColumn {
  readonly title: string;
  readonly rows: readonly MeasuredRow[];
}

/** One column after another in every round, so that what disturbs disturbs all of them. */
async function measureColumns(
  columns: readonly Column[],
  names: readonly string[],
  settings: Settings,
): Promise<MeasuredColumn[]> {
  const measured = columns.map(({ title }) => ({ title, rows: [] as MeasuredRow[] }));
  for (const name of names) {
    const rows = columns.map((column) => ({ ...rowOf(name, column), connections: column.connections }));
    const figures = await measureRows(rows, settings, CONNECTIONS_OF_ACCOUNTS);
    for (const [at, row] of figures.entries()) measured[at]?.rows.push(row);
  }
  return measured;
}

/** Reads that only an index answers without looking at every account. */
const INDEX_READS = [
  {
    name: 'getTokenAccountsByOwner',
    body: (owner: string) =>
      rpcText('getTokenAccountsByOwner', [owner, { programId: TOKEN_PROGRAM }, { encoding: 'base64' }]),
  },
  {
    name: 'getProgramAccounts of the token program, by wallet',
    body: (owner: string) => {
      const filters = [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: owner } }];
      return rpcText('getProgramAccounts', [TOKEN_PROGRAM, { encoding: 'base64', filters }]);
    },
  },
  {
    name: 'getSignaturesForAddress, the last ten',
    body: (owner: string) => rpcText('getSignaturesForAddress', [owner, { limit: 10 }]),
  },
];

function rowOf(name: string, { stack, workload }: Column): LoadRow {
  const { ledgerUrl, serviceUrl } = stack;
  const read = INDEX_READS.find((one) => one.name === name);
  const asked = cases(workload).find((one) => one.name === name);
  const bodies = read ? workload.owners.map(read.body) : (asked?.bodies ?? []);
  return {
    name,
    serverName: 'ours',
    server: stack,
    port: portOf(asked?.server === 'service' ? serviceUrl : ledgerUrl),
    path: asked?.path ?? '/',
    bodies: () => bodies,
    accepts: asked?.accepts ?? ((body) => body.includes('"result":')),
  };
}

function formatColumns(
  columns: readonly MeasuredColumn[],
  write: (figures: { cpuMicros: number; p99Ms: number }) => string,
): string {
  const names = columns[0]?.rows.map(({ row }) => row.name) ?? [];
  return markdown(
    names.map((what, at) => {
      const cells = columns.map(({ title, rows }) => {
        const rounds = rows[at]?.rounds ?? [];
        const cpuMicros = median(rounds.map((round) => round.cpuMicros));
        return [title, write({ cpuMicros, p99Ms: median(rounds.map((round) => round.p99Ms)) })];
      });
      return { what, ...(Object.fromEntries(cells) as Record<string, string>) };
    }),
  );
}
