import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../call.ts';
import { inScope } from '../scope.ts';
import type { Section } from '../section.ts';
import { startStack } from '../stack.ts';
import { median } from '../statistics.ts';
import { markdown } from '../table.ts';
import { diskBytes } from './filled-ledger.ts';

const HOUR_MS = 3_600_000;
/** A new process takes memory and gives some back; growth begins after it. */
const SETTLING_MS = 10_000;
const SAMPLES = 24;
/**
 * The middle of so many samples at both ends is compared: a single one depends on when garbage was collected.
 */
const SAMPLES_AT_END = 6;
const KIB = 1_024;

/** What a node takes that is asked nothing: slots pass all the same. */
export const growth: Section = {
  name: 'growth',
  title: 'An idle node',
  run: ({ idleMs }) =>
    inScope(async ({ keep, folder }) => {
      const path = await folder();
      const ours = keep(await startStack(path));
      await sleep(SETTLING_MS);
      const sample = () => ({ residentKib: ours.residentMiB() * KIB, diskKib: diskBytes(path) / KIB });
      const cpuBefore = ours.cpuMs();
      const slotBefore = await call<number>(ours.ledgerUrl, 'getSlot');
      const samples = [sample()];
      while (samples.length < SAMPLES) {
        await sleep(idleMs / (SAMPLES - 1));
        samples.push(sample());
      }
      const slots = (await call<number>(ours.ledgerUrl, 'getSlot')) - slotBefore;
      const cpuMs = ours.cpuMs() - cpuBefore;
      // The samples at both ends stand for their middles, which lie closer together than the first and the
      // last.
      const between = (idleMs * (SAMPLES - SAMPLES_AT_END)) / (SAMPLES - 1);
      const row = (what: string, key: keyof (typeof samples)[number]) => {
        const values = samples.map((one) => one[key]);
        const [first, last] = [
          median(values.slice(0, SAMPLES_AT_END)),
          median(values.slice(-SAMPLES_AT_END)),
        ];
        return {
          what,
          'at the beginning': `${first.toFixed(0)} KiB`,
          'at the end': `${last.toFixed(0)} KiB`,
          'growth an hour':
            last > first ? `${(((last - first) * HOUR_MS) / between).toFixed(0)} KiB` : 'none',
        };
      };
      const table = markdown([
        row('resident memory', 'residentKib'),
        row('ledger folder on disk', 'diskKib'),
      ]);
      const seconds = idleMs / 1_000;
      const honesty =
        idleMs < HOUR_MS
          ? `Watched for ${seconds} s, from which an hour is extrapolated: in so short a time memory moves by more than it grows. BENCH_IDLE_S=3600 watches the whole hour.`
          : `Watched for ${seconds} s.`;
      const idleShare = cpuMs / idleMs;
      const share = (idleShare * 100).toFixed(2);
      return {
        text: `${table}\n\n${slots} slots passed; it used ${share} % of a core. ${honesty}`,
        figures: { idleShare },
      };
    }),
};
