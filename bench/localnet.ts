import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Section } from './section.ts';
import { here } from './stack.ts';
import { median } from './statistics.ts';
import { markdown } from './table.ts';

/** Resets in each process. */
const RESETS = 20;

/** What one start, or one reset, took, ms. */
interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

interface Measured {
  readonly start: Cost;
  readonly resets: readonly Cost[];
  readonly calls: readonly Cost[];
}

const run = promisify(execFile);

/** `startLocalnet` of the package, as tests use it: its start in a new process, and its resets. */
export const localnet: Section = {
  name: 'localnet',
  title: 'A localnet in the process of a test: start and reset',
  async run({ rounds }) {
    const measured: Measured[] = [];
    for (let round = 0; round < rounds; round++) {
      const { stdout } = await run(process.execPath, [here('localnet.mjs'), String(RESETS)]);
      measured.push(JSON.parse(stdout) as Measured);
    }
    const resets = measured.flatMap((each) => each.resets);
    const rows: [string, readonly Cost[]][] = [
      ['start, from the first import', measured.map(({ start }) => start)],
      ['reset', resets],
      ['reset and the first REST call after it', measured.flatMap(({ calls }) => calls)],
    ];
    const text = markdown(
      rows.map(([what, costs]) => ({
        what,
        'p50 ms': median(costs.map(({ ms }) => ms)).toFixed(0),
        'CPU ms': median(costs.map(({ cpuMs }) => cpuMs)).toFixed(0),
      })),
    );
    return {
      text,
      figures: {
        localnetStartMs: median(measured.map(({ start }) => start.ms)),
        localnetResetMs: median(resets.map(({ ms }) => ms)),
      },
    };
  },
};
