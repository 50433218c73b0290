import { readOptions, USAGE } from './options.ts';

/**
 * The whole life of private payments between two wallets, as strangers would live it: the official MCP client,
 * `@solana/kit`, and nothing of this project but its addresses. Deposits, transfers both ways on the rollup,
 * the way back, and the balances on both ledgers after each step. Ends with exit code 0 only if every figure
 * is exact.
 *
 *     npm run demo                     plays it once, with new wallets
 *     npm run demo -- --rounds 3       plays it three times with the same wallets
 *     npm run demo -- --restarts       restarts the stack, which it must have started itself, between any two
 *                                      steps
 *     npm run demo -- --programs DIR   plays the life of payments on the programs of the networks, whose files
 *                                      are in DIR, on a ledger of its own, and once more with a kill -9 at a
 *                                      step that --seed NUMBER chooses
 */
const options = readOptions(process.argv.slice(2));
if (options === null) {
  console.error(USAGE);
  process.exit(2);
}
const { rounds, restarts, programs, seed } = options;
// Loaded only now, since they take a second: usage is answered at once.
if (programs === undefined) await playLife();
else {
  const { playNetworkLife } = await import('./network-life/play.ts');
  await playNetworkLife(programs, seed);
}
console.log('\nEvery balance is exact.');

async function playLife(): Promise<void> {
  const { Life } = await import('./life.ts');
  const { ensureStack } = await import('./stack.ts');
  const stack = await ensureStack();
  try {
    if (restarts && stack.restart === undefined) {
      throw new Error('--restarts needs a stack that the demo starts itself: stop the one that is running');
    }
    const life = await Life.begin(stack, restarts);
    await life.play(rounds);
  } finally {
    await stack.stop();
  }
}
