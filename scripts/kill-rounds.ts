// Kills so many times the built program while wallets use both its ledgers, then so many times a process that
// writes to a single ledger as fast as it can, and prints what came of it: `tsx scripts/kill-rounds.ts
// [rounds] [seed]`. Needs the build. Ends with 1 when anything was lost, doubled or wrong, went back, or was
// not started again.
import { runKillRounds } from '../test/durability/kill-rounds.ts';
import { runStackKillRounds } from '../test/durability/stack-kill-rounds.ts';

const [rounds = '200', seed = 'kill rounds'] = process.argv.slice(2);
const both = await runStackKillRounds(Number(rounds), seed);
console.log(JSON.stringify({ seed, ledgers: 'both, through the service', ...both }, null, 2));
const one = await runKillRounds(Number(rounds), seed);
console.log(JSON.stringify({ seed, ledgers: 'one, by itself', ...one }, null, 2));
const faults = [
  both.lost + both.wrongBalances + both.wentBack + both.refusedRestarts,
  one.lost + one.duplicated + one.wrongBalances + one.wentBack,
];
process.exitCode = faults.every((count) => count === 0) ? 0 : 1;
