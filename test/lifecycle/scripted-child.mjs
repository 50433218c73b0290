/**
 * A child for the supervisor that does in its n-th start what the n-th word says: `ready` serves until it is
 * told to stop, `deaf` listens to nobody and never ends, `stuck` is ready, beats and then is deaf, `ready+X`
 * is ready and then does X, and X is the name of a signal it dies by or the exit code it ends with. It notes
 * what it was told in the file that the first argument names.
 */
import { appendFileSync } from 'node:fs';
import { joinSupervisor } from '../../dist/supervisor/host.js';

const [file, ...script] = process.argv.slice(2);
const host = await joinSupervisor();
appendFileSync(file, `${JSON.stringify({ ...host.start, pid: process.pid })}\n`);
const [first, last = first] = (script[host.start.restarts] ?? 'ready').split('+');
if (first === 'ready' || first === 'stuck') host.reportReady({ PORT: 1000 + host.start.restarts });
if (last === 'stuck') {
  host.beat();
  // What was said is on its way once the turn is over.
  setImmediate(() => {
    for (;;);
  });
} else if (last === 'deaf') for (;;);
else if (last === 'ready') host.stopping.addEventListener('abort', () => process.exit(0));
else if (last.startsWith('SIG')) process.kill(process.pid, last);
else process.exit(Number(last));
