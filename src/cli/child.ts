/** The child process of the supervisor: runs the stack. */
import { joinSupervisor } from '../supervisor/host.ts';
import { throwAwayAtExit } from '../supervisor/stop-signals.ts';
import { readArguments } from './arguments.ts';
import { fail, failOnUncaught } from './fail.ts';

failOnUncaught();
let isRestart = false;
try {
  const args = readArguments(process.argv.slice(2));
  // Hide the arguments from process lists, because some are secrets.
  process.title = 'spl-private-payments stack';
  // Join the supervisor first, because a signal may arrive while the stack is loading.
  const joined = joinSupervisor();
  const { runStack } = await import('./run-stack.ts');
  const host = await joined;
  const { worker } = host.start;
  if (worker !== null) process.title = `spl-private-payments worker ${worker}`;
  isRestart = host.start.hasServed;
  // The supervisor deletes the folder unless it was killed. Until it exits, another start may use the folder.
  throwAwayAtExit(host.start.scratchFolder, () => !process.connected);
  await runStack(args, host);
} catch (error) {
  fail(error, isRestart);
}
