import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { inScope } from '../scope.ts';
import type { Section } from '../section.ts';
import { onAnyCore } from '../server-process.ts';
import { here } from '../stack.ts';
import { median } from '../statistics.ts';
import { markdown } from '../table.ts';
import { fillLedger, FILLED } from './filled-ledger.ts';

const BATCHES = 5;

/** A stand of the event loop, ms; its CPU time is null where the system does not say. */
interface Stand {
  readonly wallMs: number;
  readonly cpuMs: number | null;
}

/** What it costs a ledger with nothing else to do to forget a transaction for each that lands. */
export const pruning: Section = {
  name: 'pruning',
  title: `The longest pause while a full history of ${FILLED.transactions} transactions lets go of 1000`,
  run: () =>
    inScope(async ({ folder }) => {
      const path = await folder();
      cpSync(fillLedger().folder, path, { recursive: true });
      const args = [here('ledger/pruning.mjs'), path, String(FILLED.transactions), String(BATCHES)];
      const [command, commandArgs] = onAnyCore(args);
      const { status, stdout, stderr } = spawnSync(command, commandArgs, { encoding: 'utf8' });
      if (status !== 0) throw new Error(`the ledger was not measured: ${stderr}`);
      const stands = JSON.parse(stdout) as readonly Stand[];
      const rows = stands.map(({ wallMs, cpuMs }, batch) => ({
        batch: String(batch + 1),
        'longest pause, ms': wallMs.toFixed(1),
        'most CPU time between two turns, ms': cpuMs?.toFixed(1) ?? '',
      }));
      return {
        text: markdown(rows),
        figures: { pruningPauseMs: median(stands.map(({ wallMs }) => wallMs)) },
      };
    }),
};
