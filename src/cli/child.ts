/** What the supervisor runs as its child: the stack, started as the supervisor says. */
import { joinSupervisor } from '../supervisor/host.ts';
import { throwAwayAtExit } from '../supervisor/scratch-folder.ts';
import { readArguments } from './arguments.ts';
import { fail, failOnUncaught } from './fail.ts';

failOnUncaught();
let isRestart = false;
try {
  const args = readArguments(process.argv.slice(2));
  // The title takes the place of the arguments in lists of processes, some of which are secrets.
  process.title = 'spl-private-payments stack';
  // Joined first: a signal may come while the stack is still being loaded.
  const joined = joinSupervisor();
  const { runStack } = await import('./run-stack.ts');
  const host = await joined;
  const { worker } = host.start;
  if (worker !== null) process.title = `spl-private-payments worker ${worker}`;
  isRestart = host.start.hasServed;
  // The supervisor does it, unless it was killed; while it is there another start may go on with the folder.
  throwAwayAtExit(host.start.scratchFolder, () => !process.connected);
  await runStack(args, host);
} catch (error) {
  fail(error, isRestart);
}
