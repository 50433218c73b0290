import { call } from '../call.ts';
import { inScope } from '../scope.ts';
import type { Section } from '../section.ts';
import { startStack } from '../stack.ts';
import { median } from '../statistics.ts';
import { markdown, ratio } from '../table.ts';
import { diskBytes, FILLED, fillLedger } from './filled-ledger.ts';
import { loadPopulation } from './population.ts';

const RESTARTS = 3;
const AIRDROP_LAMPORTS = 1_000_000_000;
const MIB = 1_024 * 1_024;

/** Starting on a ledger that has seen much, after an orderly end and after none. */
export const restart: Section = {
  name: 'restart',
  title: `A start on ${FILLED.accounts} accounts and ${FILLED.transactions} transactions`,
  run: () =>
    inScope(async ({ folder }) => {
      const { folder: full, accountsMs, transactionsMs } = fillLedger();
      const kinds = [
        { name: 'a new ledger, started again', path: await folder(), signal: 'SIGTERM' },
        { name: 'the full one, after an orderly end', path: full, signal: 'SIGTERM' },
        { name: 'the full one, after kill -9', path: full, signal: 'SIGKILL' },
      ] as const;
      const rows = [];
      let baseline = Number.NaN;
      for (const { name, path, signal } of kinds) {
        const { startMs, residentMiB } = await restartOften(path, signal);
        if (Number.isNaN(baseline)) baseline = startMs;
        rows.push({
          what: name,
          'start to first answer, ms': startMs.toFixed(0),
          'to the new one': ratio(startMs, baseline),
          'resident MiB': residentMiB.toFixed(0),
          'disk MiB': (diskBytes(path) / MIB).toFixed(0),
        });
      }
      const perSecond = (FILLED.transactions / transactionsMs) * 1_000;
      const note = `Filled in process, durably: the accounts in ${(accountsMs / 1_000).toFixed(1)} s, the transactions in ${(transactionsMs / 1_000).toFixed(1)} s (${perSecond.toFixed(0)} a second, signing included).`;
      return { text: `${markdown(rows)}\n\n${note}` };
    }),
};

/** The first start only sees to it that the next one finds a ledger that ended in the way that is meant. */
async function restartOften(path: string, signal: 'SIGTERM' | 'SIGKILL') {
  const { wallets } = await loadPopulation();
  const timesMs: number[] = [];
  const resident: number[] = [];
  for (let turn = 0; turn <= RESTARTS; turn++) {
    const startedMs = performance.now();
    const ours = await startStack(path);
    try {
      await call(ours.ledgerUrl, 'getHealth');
      const tookMs = performance.now() - startedMs;
      if (turn > 0) {
        timesMs.push(tookMs);
        resident.push(ours.residentMiB());
      }
      // Something that is in the journal and perhaps not in the database yet when the end comes.
      await call(ours.ledgerUrl, 'requestAirdrop', [wallets[turn]?.address, AIRDROP_LAMPORTS]);
    } finally {
      await ours.stop(signal);
    }
  }
  return { startMs: median(timesMs), residentMiB: median(resident) };
}
