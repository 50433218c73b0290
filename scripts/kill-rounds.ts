// Kills so many times the built program while wallets use both its ledgers, then so many times a process that
// writes to a single ledger as fast as it can, and prints what came of it, every five rounds so far: `tsx
// scripts/kill-rounds.ts [rounds] [seed] [--programs folder]`. With the programs of layout B
// the program runs on these, and nothing else is killed. Needs the build. Ends with 1 when anything was lost, doubled or
// wrong, went back, or was not started again.
import { parseArgs } from 'node:util';
import { runKillRounds } from '../test/durability/kill-rounds.ts';
import { runStackKillRounds, type StackKillFigures } from '../test/durability/stack-kill-rounds.ts';

const ROUNDS_TOLD = 5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { programs: { type: 'string' } },
});
const [rounds = '200', seed = 'kill rounds'] = positionals;
const { programs = null } = values;
// So that rounds that are stopped leave their figures.
const tell = (figures: StackKillFigures): void => {
  if (figures.rounds % ROUNDS_TOLD === 0) console.info(JSON.stringify(figures));
};
const both = await runStackKillRounds({ rounds: Number(rounds), seed, programs, tell });
const layout = programs === null ? 'a' : 'b';
console.log(JSON.stringify({ seed, ledgers: 'both, through the service', layout, ...both }, null, 2));
const faults = [both.lost + both.wrongBalances + both.wentBack + both.refusedRestarts];
if (programs === null) {
  const one = await runKillRounds(Number(rounds), seed);
  console.log(JSON.stringify({ seed, ledgers: 'one, by itself', ...one }, null, 2));
  faults.push(one.lost + one.duplicated + one.wrongBalances + one.wentBack);
}
process.exitCode = faults.every((count) => count === 0) ? 0 : 1;
