import type { Mints } from './mints.ts';
import type { Network } from './network.ts';

/**
 * What everybody has now whose tokens were looked at, in the order in which that was: a line for each person
 * and mint. After the same scenarios it is the same on every rollup, lamports included, but for what is drawn:
 * which key of a stealth handle gets which part.
 */
export async function readBalances(network: Network, mints: Mints): Promise<string[]> {
  const lines: string[] = [];
  for (const mint of Object.values(mints)) {
    for (const [person] of network.holdersOf(mint)) {
      const base = await network.tokens(person, mint, 'base');
      const rollup = await network.tokens(person, mint, 'rollup');
      const lamports = await network.lamportsOf(person.address);
      lines.push(
        `${person.name}: ${base} ${mint.name} on base, ${rollup} on the rollup, ${lamports} lamports`,
      );
    }
  }
  return lines;
}
