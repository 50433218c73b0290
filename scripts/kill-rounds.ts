// Kills the built program while wallets use both ledgers, then kills a process that writes to one ledger at
// full speed: `tsx scripts/kill-rounds.ts [rounds] [seed] [--programs folder]`. Prints figures every five
// rounds. With the programs of layout B, it runs only the first part. Needs the build. Exits with 1 if a
// change was lost, doubled, wrong or reverted, or if a restart failed.
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
// Prints intermediate figures, which remain if the run is stopped.
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
