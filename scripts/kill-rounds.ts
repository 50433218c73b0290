// Kills a process that writes to a ledger so many times and prints what came of it: `tsx scripts/kill-rounds.ts [rounds]
// [seed]`. Needs the build. Ends with 1 when anything was lost, doubled or wrong, or went back.
import { runKillRounds } from '../test/durability/kill-rounds.ts';

const [rounds = '200', seed = 'kill rounds'] = process.argv.slice(2);
const figures = await runKillRounds(Number(rounds), seed);
console.log(JSON.stringify({ seed, ...figures }, null, 2));
const { lost, duplicated, wrongBalances, wentBack } = figures;
process.exitCode = lost + duplicated + wrongBalances + wentBack === 0 ? 0 : 1;
