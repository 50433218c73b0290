import { step } from '../report.ts';
import { crashOf } from './crash.ts';
import { makeMints } from './mints.ts';
import { Network } from './network.ts';
import { openNetworkStack } from './network-stack.ts';
import { playRound } from './round.ts';
import { SCENARIOS } from './scenarios.ts';

/**
 * The life of payments on the programs of the networks, on a fresh ledger: every scenario once, and once more
 * with a kill -9 at a step that the seed chooses. `programs` is the folder of the programs.
 */
export async function playNetworkLife(programs: string, seed: number): Promise<void> {
  const stack = await openNetworkStack(programs);
  try {
    const network = await Network.open(stack);
    await network.airdrop(stack.sponsor, 10_000_000_000n);
    step('Mints are made ready for private payments');
    const mints = await makeMints(network);
    const before = network.sent;
    await playRound(network, mints, SCENARIOS);
    const count = network.sent - before;
    network.crash = crashOf(seed, network.sent, count);
    console.log(`\nOnce more, with a kill -9 (seed ${seed})`);
    await playRound(network, mints, SCENARIOS);
    if (network.sent < network.crash.at) throw new Error('the kill was to be at a later step');
  } finally {
    await stack.stop();
    stack.remove();
  }
}
