import { note, step } from '../report.ts';
import type { Mints } from './mints.ts';
import type { Network } from './network.ts';
import type { Scenario } from './scenarios.ts';
import { checkVault } from './vault.ts';

/** Plays scenarios one after another, and then holds all that anybody has against what it was. */
export async function playRound(
  network: Network,
  mints: Mints,
  scenarios: readonly Scenario[],
): Promise<void> {
  for (const { title, play } of scenarios) {
    step(title);
    const started = performance.now();
    await play(network, mints);
    note('took', `${Math.round(performance.now() - started)} ms`);
  }
  step('All balances once more, and the vaults');
  await network.checkAll();
  for (const mint of Object.values(mints)) await checkVault(network, mint);
}
