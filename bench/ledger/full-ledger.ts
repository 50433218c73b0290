import { call, rpcText } from '../call.ts';
import { memoryOf } from '../memory.ts';
import { inScope } from '../scope.ts';
import type { Section } from '../section.ts';
import { portOf, startStack } from '../stack.ts';
import { median } from '../statistics.ts';
import { markdown, ratio } from '../table.ts';
import { diskBytes, fillFolder } from './filled-ledger.ts';
import { loadPopulation, type Population } from './population.ts';

/** `BENCH_FULL_ACCOUNTS` for others. */
const ACCOUNTS = Number(process.env['BENCH_FULL_ACCOUNTS'] ?? 1_000_000);
const TRANSACTIONS = 1_000;
const STARTS = 5;
const ROUNDS = 12;
/** Calls between two looks at CPU time, which the system counts in ticks of 10 ms. */
const CALLS_A_ROUND = 20;
/** Different accounts that are read one by one, so that what is kept at hand is full. */
const READS = 40_000;
const READS_AT_ONCE = 100;
const MB = 1_000_000;
const MIB = 1_024 * 1_024;

/** What a start and a scan cost where there are many accounts, beside an empty ledger. */
export const fullLedger: Section = {
  name: 'full-ledger',
  title: `${ACCOUNTS} accounts: a start, its memory, and 10 of a program with 100000 accounts`,
  run: () =>
    inScope(async ({ folder }) => {
      const kept = process.env['BENCH_FULL_LEDGER'];
      const full = kept ?? (await folder());
      const filling = kept === undefined ? fillFolder(full, ACCOUNTS, TRANSACTIONS) : undefined;
      const population = await loadPopulation();
      const empty = await folder();
      const kinds = [
        { name: 'an empty ledger', path: empty, starts: [] as Start[] },
        { name: `${ACCOUNTS} accounts`, path: full, starts: [] as Start[] },
      ];
      // The first start of each makes what others find.
      for (let turn = 0; turn <= STARTS; turn++) {
        for (const { path, starts } of kinds) {
          const start = await timeStart(path);
          if (turn > 0) starts.push(start);
        }
      }
      const medians = kinds.map(({ starts }) => ({
        cpuMs: median(starts.map((start) => start.cpuMs)),
        anonymous: median(starts.map((start) => start.anonymous)),
      }));
      const [ofEmpty, ofFull] = medians as [Start, Start];
      const rows = kinds.map(({ name, path, starts }, at) => {
        const { cpuMs, anonymous } = medians[at] as Start;
        return {
          'start of': name,
          'CPU ms to the first answer': cpuMs.toFixed(0),
          least: Math.min(...starts.map((start) => start.cpuMs)).toFixed(0),
          'to the empty one': ratio(cpuMs, ofEmpty.cpuMs),
          'anonymous MB': (anonymous / MB).toFixed(0),
          'disk MiB': (diskBytes(path) / MIB).toFixed(0),
        };
      });
      const { cpuMs, anonymous } = await scanAndRead(full, population);
      const scans = `getProgramAccounts, ${population.ACCOUNTS_PER_MEMBER} found among ${population.LARGE_PROGRAM_ACCOUNTS} of the program, CPU ms a call in ${ROUNDS} rounds of ${CALLS_A_ROUND}: median ${median(cpuMs).toFixed(1)}, least ${Math.min(...cpuMs).toFixed(1)}. Anonymous memory after that and after reading ${READS} accounts: ${(anonymous / MB).toFixed(0)} MB.`;
      const filled = filling === undefined ? '' : ` Filled in ${(filling.accountsMs / 1_000).toFixed(0)} s.`;
      const figures = {
        fullStartToEmpty: ofFull.cpuMs / ofEmpty.cpuMs,
        fullStartedBytes: ofFull.anonymous,
        fullReadBytes: anonymous,
        programScanMs: median(cpuMs),
      };
      return { text: `${markdown(rows)}\n\n${scans}${filled}`, figures };
    }),
};

/** A start: CPU time to its first answer, ms, and anonymous memory by then, bytes. */
interface Start {
  readonly cpuMs: number;
  readonly anonymous: number;
}

async function timeStart(path: string): Promise<Start> {
  const ours = await startStack(path);
  try {
    await call(ours.ledgerUrl, 'getHealth');
    return { cpuMs: ours.cpuMs(), anonymous: memoryOf(ours.pid).anonymous };
  } finally {
    await ours.stop();
  }
}

async function scanAndRead(path: string, population: Population) {
  const { ACCOUNTS_PER_MEMBER, LARGE_PROGRAM, MEMBER_AT, memberAt, tokenAccountAt } = population;
  const { LARGE_PROGRAM_ACCOUNTS } = population;
  const ours = await startStack(path);
  const url = `http://127.0.0.1:${portOf(ours.ledgerUrl)}/`;
  try {
    const cpuMs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = ours.cpuMs();
      for (let turn = 0; turn < CALLS_A_ROUND; turn++) {
        const member = memberAt(((round * CALLS_A_ROUND + turn) * 997) % LARGE_PROGRAM_ACCOUNTS);
        const filters = [{ memcmp: { offset: MEMBER_AT, bytes: member } }];
        const body = rpcText('getProgramAccounts', [LARGE_PROGRAM, { encoding: 'base64', filters }]);
        const text = await (await fetch(url, { method: 'POST', body, headers: JSON_HEADERS })).text();
        if (text.split('"pubkey"').length !== ACCOUNTS_PER_MEMBER + 1) throw new Error(text.slice(0, 300));
      }
      cpuMs.push((ours.cpuMs() - before) / CALLS_A_ROUND);
    }
    for (let at = 0; at < READS; at += READS_AT_ONCE) {
      const addresses = Array.from({ length: READS_AT_ONCE }, (_, i) => tokenAccountAt(at + i));
      const { value } = await call<{ value: unknown[] }>(ours.ledgerUrl, 'getMultipleAccounts', [addresses]);
      if (value.includes(null)) throw new Error('an account is missing');
    }
    return { cpuMs, anonymous: memoryOf(ours.pid).anonymous };
  } finally {
    await ours.stop();
  }
}

const JSON_HEADERS = { 'content-type': 'application/json' };
