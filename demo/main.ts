import { parseArgs } from 'node:util';

/**
 * The whole life of private payments between two wallets, as strangers would live it: the official MCP
 * client,
 * @solana/kit, and nothing of this project but its addresses. Deposits, transfers both ways on the rollup,
 * the way back, and the balances on both ledgers after each step. Ends with exit code 0 only if every figure
 * is exact.
 *
 *   npm run demo                     plays it once, with new wallets npm run demo -- --rounds 3       plays
 *   it three times with the same wallets npm run demo -- --restarts       restarts the stack, which it must
 *   have started itself, between any two steps
 */
const { rounds, restarts } = readOptions();
// Loaded only now, since they take a second: usage is answered at once.
const { Life } = await import('./life.ts');
const { ensureStack } = await import('./stack.ts');
const stack = await ensureStack();
try {
  if (restarts && stack.restart === undefined) {
    throw new Error('--restarts needs a stack that the demo starts itself: stop the one that is running');
  }
  const life = await Life.begin(stack, restarts);
  await life.play(rounds);
  console.log('\nEvery balance is exact.');
} finally {
  await stack.stop();
}

/** What the command line asks for; ends the program with exit code 2 when it cannot be told. */
function readOptions(): { readonly rounds: number; readonly restarts: boolean } {
  const options = {
    rounds: { type: 'string', default: '1' },
    restarts: { type: 'boolean', default: false },
  } as const;
  try {
    const { values } = parseArgs({ options });
    if (/^[1-9]\d{0,8}$/.test(values.rounds)) return { ...values, rounds: Number(values.rounds) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  console.error('Usage: npm run demo -- [--rounds NUMBER] [--restarts]   (NUMBER: a whole number from 1)');
  process.exit(2);
}
