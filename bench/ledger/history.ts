import { spawnSync } from 'node:child_process';
import { inScope } from '../scope.ts';
import type { Section } from '../section.ts';
import { onAnyCore } from '../server-process.ts';
import { here } from '../stack.ts';
import { median } from '../statistics.ts';
import { markdown } from '../table.ts';

const TRANSACTIONS = 20_000;
/** Transactions that are read by signature in each round. */
const READS = 5_000;

/** What the history is filled with, as `history.mjs` names it. */
const KINDS = {
  tokens: 'a token transfer between 64 wallets',
  checked: 'the same by `transferChecked`',
  fresh: 'a token transfer to an account that no other names',
  lamports: 'a transfer of lamports between 64 wallets',
} as const;

type Kind = keyof typeof KINDS;

/** What a history of one kind takes. */
interface Filled {
  /** Bytes of a transaction on the wire. */
  readonly wireBytes: number;
  /** Pages of each table, bytes a transaction. */
  readonly tables: readonly TablePages[];
  /** CPU time of a read by signature in each round, us. */
  readonly readMicros: readonly number[];
}

/** Pages of a table, bytes a transaction. */
interface TablePages {
  readonly name: string;
  readonly branchBytes: number;
  readonly leafBytes: number;
  readonly overflowBytes: number;
}

/** What a transaction takes in the database, and what reading one by its signature costs. */
export const history: Section = {
  name: 'history',
  title: `What each of ${TRANSACTIONS} transactions takes in the database, and a read by signature`,
  run: async ({ rounds }) => {
    const filled = new Map<Kind, Filled>();
    for (const kind of Object.keys(KINDS) as Kind[]) filled.set(kind, await fill(kind, rounds));
    const of = (kind: Kind): Filled => filled.get(kind) as Filled;
    return {
      text: markdown([...filled].map(([kind, each]) => rowOf(KINDS[kind], each))),
      figures: {
        historyBytes: beyondWire(of('tokens')),
        historyNewAccountBytes: beyondWire(of('fresh')),
        historyReadMicros: median(of('tokens').readMicros),
      },
    };
  },
};

function rowOf(what: string, filled: Filled): Readonly<Record<string, string>> {
  const { wireBytes, tables, readMicros } = filled;
  const ofTables = tables.map((table): [string, string] => [`- ${table.name}`, pagesOf(table).toFixed(1)]);
  const branches = tables.reduce((sum, { branchBytes }) => sum + branchBytes, 0);
  return {
    'bytes of': what,
    'on the wire': wireBytes.toFixed(0),
    'in the database': (wireBytes + beyondWire(filled)).toFixed(1),
    ...Object.fromEntries(ofTables),
    'of these branch pages': branches.toFixed(1),
    'beyond the wire': beyondWire(filled).toFixed(1),
    'CPU us/read by signature': median(readMicros).toFixed(1),
  };
}

const beyondWire = ({ tables, wireBytes }: Filled): number =>
  tables.reduce((sum, table) => sum + pagesOf(table), 0) - wireBytes;

const pagesOf = ({ branchBytes, leafBytes, overflowBytes }: TablePages): number =>
  branchBytes + leafBytes + overflowBytes;

/** Fills a history in a process of its own. */
function fill(kind: Kind, rounds: number): Promise<Filled> {
  return inScope(async ({ folder }) => {
    const numbers = [TRANSACTIONS, rounds, READS].map(String);
    const args = [here('ledger/history.mjs'), await folder(), kind, ...numbers];
    const [command, commandArgs] = onAnyCore(args);
    const { status, stdout, stderr } = spawnSync(command, commandArgs, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the history was not measured: ${stderr}`);
    return JSON.parse(stdout) as Filled;
  });
}
