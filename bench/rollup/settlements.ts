import { startChild, type Child } from '../child-calls.ts';
import type { Section } from '../section.ts';
import { here } from '../stack.ts';
import { median } from '../statistics.ts';
import { markdown, ratio } from '../table.ts';

/** Delegated eATAs of the mint: few, and many. */
const FEW = 100;
const MANY = 10_000;
const PAYMENTS_A_ROUND = 30;

/** A ledger with so many delegated eATAs, in a process of its own. */
interface Side {
  readonly eatas: number;
  readonly child: Child;
  /** CPU time of each payment with its settlement, ms. */
  readonly cpuMs: number[];
}

/** What a settlement costs by how many eATAs of its mint are delegated. */
export const settlements: Section = {
  name: 'settlements',
  title: `A private transfer, and the undelegation and settlement of who was paid, by how many eATAs there are`,
  run: async ({ rounds }) => {
    const sides: Side[] = [];
    try {
      for (const eatas of [FEW, MANY]) sides.push(await openSide(eatas));
      for (let round = -1; round < rounds; round++) {
        for (const { child, cpuMs } of sides) {
          const costs = await child.ask<{ cpuMs: number[] }>({ payments: PAYMENTS_A_ROUND });
          // In the first round all eATAs are read once, and the compiler has its way.
          if (round >= 0) cpuMs.push(...costs.cpuMs);
        }
      }
    } finally {
      for (const { child } of sides) child.stop();
    }
    const [few, many] = sides.map(({ cpuMs }) => median(cpuMs)) as [number, number];
    const rows = sides.map(({ eatas, cpuMs }) => ({
      'delegated eATAs': String(eatas),
      'CPU ms to tokens on base, median': median(cpuMs).toFixed(2),
      least: Math.min(...cpuMs).toFixed(2),
      'to the fewest': ratio(median(cpuMs), few),
    }));
    const payments = `${rounds * PAYMENTS_A_ROUND} payments each, in ${rounds} alternating rounds.`;
    return { text: `${markdown(rows)}\n\n${payments}`, figures: { settlementGrowth: many / few } };
  },
};

async function openSide(eatas: number): Promise<Side> {
  const child = await startChild(here('rollup/settle.ts'), [String(eatas)], ['--import', 'tsx']);
  return { eatas, child, cpuMs: [] };
}
